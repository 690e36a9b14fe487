"""The table of data sets agrees with what is kept of them, with itself and with the manual."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

from samekind.paper.datasets import available, load
from samekind.paper.datasets.content import FACTS, remembered, remembered_rows
from samekind.paper.datasets.find import public_sources
from samekind.paper.datasets.records import Arrays, Files, Record, Scale
from samekind.paper.datasets.table import RECORDS

PUBLISHED = [record for record in RECORDS.values() if record.embedded is None]
MANUAL = Path(__file__).parents[3] / "docs" / "datasets.md"


def test_the_data_sets_of_the_paper_are_there():
    assert set(RECORDS) == {
        *("orl", "yale", "umist", "mnist", "mnist_1000", "usps", "usps_1000", "coil20"),
        *("isolet", "isolet1", "isolet2", "yaleb", "yaleb18", "cora", "digits"),
    }


@pytest.mark.parametrize("record", PUBLISHED, ids=lambda record: record.name)
def test_what_is_kept_is_of_this_data_set(record):
    kept = remembered(record.name)
    assert kept.shape == record.shape
    assert len(kept.class_counts) == record.n_classes
    assert set(kept.digests) == {"y", *record.extras}
    assert re.fullmatch("[0-9a-f]{64}", record.sha256)
    if record.image_shape is not None:
        assert record.image_shape[0] * record.image_shape[1] == record.shape[1]


@pytest.mark.parametrize("record", PUBLISHED, ids=lambda record: record.name)
def test_there_is_a_way_to_each_data_set(record):
    assert public_sources(record)
    assert "http" in record.by_hand
    assert record.by_hand[-1] != "."


@pytest.mark.parametrize("record", PUBLISHED, ids=lambda record: record.name)
def test_addresses_are_fixed_and_digests_well_formed(record):
    files = [
        file for source in record.sources if isinstance(source, Files) for file in source.files
    ]
    for file in files:
        if file.address and "githubusercontent" in file.address:
            assert re.search("/[0-9a-f]{40}/", file.address), "name the commit, not a branch"
        if file.checksum:
            assert re.fullmatch(
                "sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}|git:[0-9a-f]{40}", file.checksum
            )


def test_rows_that_are_kept_lie_within_their_whole():
    for name, whole in (("mnist_1000", "mnist"), ("usps_1000", "usps")):
        rows = remembered_rows(name)
        assert len(set(rows.tolist())) == 1000
        assert 0 <= rows.min()
        assert rows.max() < RECORDS[whole].shape[0]


def test_what_is_kept_is_small():
    assert sum(path.stat().st_size for path in FACTS.iterdir()) < 250_000


def test_the_example_of_the_manual_is_a_data_set(monkeypatch):
    example = re.search(r"```python\n(RECORDS.*?)```", MANUAL.read_text(), re.S).group(1)
    names = {"Record": Record, "Scale": Scale, "Arrays": Arrays, "load_wine": load_wine}
    exec(example, names)
    (record,) = names["RECORDS"]
    monkeypatch.setitem(RECORDS, record.name, record)
    np.testing.assert_array_equal(load("wine").X, load_wine().data)
    assert load("wine").X.shape == record.shape


def test_every_data_set_is_in_the_manual_with_its_size():
    rows = {}
    for line in MANUAL.read_text().splitlines():
        if line.startswith("| `"):
            rows.setdefault(line.split("`")[1], line)
    for line in available():
        size = f"| {line.n_samples} x {line.n_features} | {line.n_classes} |"
        assert size in rows[line.name]
