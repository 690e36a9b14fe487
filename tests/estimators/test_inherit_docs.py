"""Docstrings and ranges that subclasses share with their base classes."""

import inspect
from typing import ClassVar

import pytest
from sklearn.base import BaseEstimator

from samekind import SameKind
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import Number, Whole, check_parameters, ranges_of


class Base(BaseEstimator):
    """A base.

    Parameters
    ----------
    size : int
        How many.
    tol : float
        When to stop.

    Attributes
    ----------
    status_ : str
        How it ended.
    """

    RANGES: ClassVar = {"size": Whole(1), "tol": Number(0)}


@inherit_docs
class Derived(Base):
    """A method.

    Parameters
    ----------
    weight : float
        How much.

    References
    ----------
    A paper.
    """

    RANGES: ClassVar = {"weight": Number(0)}

    def __init__(self, size=3, *, tol=0.1, weight=1.0):
        self.size = size
        self.tol = tol
        self.weight = weight


@inherit_docs
class Plain(Derived):
    """Nothing of its own."""


def test_docstrings_are_joined_in_numpydocs_order():
    manual = Derived.__doc__
    titles = ["Parameters\n---", "Attributes\n---", "References\n---"]
    places = [manual.index(title) for title in titles]
    assert places == sorted(places)
    assert manual.index("size :") < manual.index("tol :") < manual.index("weight :")
    for words in ("How many.", "When to stop.", "How much.", "How it ended.", "A paper."):
        assert manual.count(words) == 1
        assert Plain.__doc__.count(words) == (words != "A paper.")


def test_parameters_are_explained_in_the_order_of_the_signature():
    manual = SameKind.__doc__.split("Attributes\n---")[0]
    places = [manual.index(f"\n{name} : ") for name in inspect.signature(SameKind).parameters]
    assert places == sorted(places)


def test_a_parameter_with_another_default_is_explained_once():
    @inherit_docs
    class Other(Derived):
        """Another method.

        Parameters
        ----------
        tol : float
            When to stop, later.
        """

    assert Other.__doc__.count("tol : float") == 1
    for words in ("How many.", "How much.", "When to stop, later."):
        assert Other.__doc__.count(words) == 1


def test_ranges_of_the_base_classes_hold_too():
    assert set(ranges_of(Plain)) == {"size", "tol", "weight"}
    with pytest.raises(ValueError, match=r"'tol' parameter of Plain must be a float in the range"):
        check_parameters(Plain(tol=-1.0))
