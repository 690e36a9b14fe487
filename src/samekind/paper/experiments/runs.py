"""A run: one method, on one data set, in one random trial; and its seed."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from samekind.paper.experiments.rows import KEY, Row, key_of


@dataclass(frozen=True)
class Run:
    """What is to be done, as plain values.

    Parameters
    ----------
    experiment, dataset : str
    task : str
        The function of ``tasks`` that does it.
    setting : mapping
        The supervision, such as ``{"labelled": 2}``.
    contender : str
        What the tables call it: "DGSL", "LSGR-nlap".
    method : str
        Its name in the registry of methods.
    parameters : mapping
        Of the method.
    repetition : int
        Which random trial, from 0.
    origin : str
        Where the parameters come from, in words.
    max_hours : float, optional
        It is left out once its contender has taken so long in this experiment.
    """

    experiment: str
    dataset: str
    task: str
    setting: Mapping[str, Any]
    contender: str
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repetition: int = 0
    origin: str = ""
    max_hours: float | None = None

    @property
    def seed(self) -> int:
        """A function of data set, setting and repetition, so that all methods see the same pairs.

        Examples
        --------
        >>> one = Run("table2", "yale", "cluster", {"labelled": 2}, "SL", "sl")
        >>> two = Run("table4", "yale", "cluster", {"labelled": 2}, "DGSL", "dgsl")
        >>> one.seed == two.seed
        True
        """
        words = key_of(self.row(), ("dataset", "setting", "repetition"))
        return zlib.crc32(words.encode())

    @property
    def key(self) -> str:
        """What makes two runs the same."""
        return key_of(self.row(), KEY)

    def row(self) -> Row:
        """The part of a row that is known before the run."""
        return {
            "experiment": self.experiment,
            "dataset": self.dataset,
            "task": self.task,
            "setting": dict(self.setting),
            "contender": self.contender,
            "method": self.method,
            "parameters": dict(self.parameters),
            "repetition": self.repetition,
            "origin": self.origin,
        }
