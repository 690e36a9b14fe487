# On a machine with Python 3.11 or newer and make: `make demo`, `make test`. Nothing else is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Tests start many processes, each of which would compile the sources anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo ask test coverage lint docs bench bench-large lock clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "samekind needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY)  ## below a minute: SameKind beside other methods, and demo/report.html
	$(BIN)/samekind demo --out demo

ask: $(READY)  ## questions about handwritten digits on a page in the browser; ask-demo/ keeps the answers
	$(BIN)/samekind ask --demo

test: lint  ## everything that has to hold: lint, types, tests, doctests
	$(BIN)/python -m pytest -n 2 --dist worksteal

coverage: $(READY)  ## the tests again, which lines they run, and that it is 90 % or more
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term

lint: $(READY)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)  ## minutes: the documentation site with all examples run, docs/_build/html/index.html
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d docs/_build/doctrees docs docs/_build/html
	$(BIN)/python tools/check_site.py docs/_build/html --examples examples

bench: $(READY)  ## minutes: speed as a ratio to the textbook transcription and to scikit-learn
	$(BIN)/python benchmarks/speed.py

bench-large: $(READY)  ## about two hours: growth, 70,000 and a million samples; needs pip install -e '.[bench]'
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/large.py
	$(BIN)/python benchmarks/large.py --threads
	$(BIN)/python benchmarks/plot.py

lock:  ## renew requirements.lock (needs uv)
	uv pip compile pyproject.toml --extra app --extra photos --extra ask --extra paper --extra dask --extra large --extra docs --extra dev --universal --python-version 3.11 \
	  --fork-strategy fewest --no-strip-extras --generate-hashes --upgrade --quiet --output-file requirements.lock

clean:  ## remove everything that the other commands made
	rm -rf $(VENV) demo ask-demo dist build docs/_build docs/auto_examples docs/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
