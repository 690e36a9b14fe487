"""Labels of new rows from a model, read as its rows were."""

from typing import Any

from samekind.app.inputs import Samples


def inputs_of(samples: Samples, **options: Any) -> dict[str, Any]:
    """How samples were read, in plain values: what a model keeps to read new rows.

    ``options`` are those of `read_samples` that count for new rows too.
    """
    encoder = None if samples.encoder is None else samples.encoder.state()
    return {"encoder": encoder, "options": options}
