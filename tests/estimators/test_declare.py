"""Methods declared as tables: signatures, ranges and docstrings are put together."""

import inspect
from dataclasses import field
from typing import ClassVar

import pytest
from sklearn.base import BaseEstimator, clone

from samekind.estimators._base.declare import method, ranges_of
from samekind.estimators._base.parameters import Number, Whole, check_parameters


@method
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

    size: int = field(default=3, kw_only=False)
    tol: float = 0.1
    RANGES: ClassVar = {"size": Whole(1), "tol": Number(0)}


@method
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

    weight: float = 1.0
    RANGES: ClassVar = {"weight": Number(0)}


@method
class Plain(Derived):
    """Nothing of its own."""


def test_parameters_come_in_the_order_of_the_bases():
    assert list(inspect.signature(Derived).parameters) == ["size", "tol", "weight"]
    assert Derived(5, weight=2.0).get_params() == {"size": 5, "tol": 0.1, "weight": 2.0}
    with pytest.raises(TypeError):
        Derived(5, 0.2)  # only the first can go without its name


def test_scikit_learn_can_clone_and_show_it():
    model = Plain(4, tol=0.5)
    assert clone(model).get_params() == model.get_params()
    assert repr(model) == "Plain(size=4, tol=0.5)"


def test_docstrings_are_joined_in_numpydocs_order():
    manual = Derived.__doc__
    titles = ["Parameters\n---", "Attributes\n---", "References\n---"]
    places = [manual.index(title) for title in titles]
    assert places == sorted(places)
    assert manual.index("size :") < manual.index("tol :") < manual.index("weight :")
    for words in ("How many.", "When to stop.", "How much.", "How it ended.", "A paper."):
        assert manual.count(words) == 1
        assert Plain.__doc__.count(words) == (words != "A paper.")


def test_a_parameter_with_another_default_is_explained_once():
    @method
    class Other(Derived):
        """Another method.

        Parameters
        ----------
        tol : float
            When to stop, later.
        """

        tol: float = 0.01

    assert Other().get_params() == {"size": 3, "tol": 0.01, "weight": 1.0}
    assert Other.__doc__.count("tol : float") == 1
    for words in ("How many.", "How much.", "When to stop, later."):
        assert Other.__doc__.count(words) == 1


def test_ranges_of_the_bases_hold_too():
    assert set(ranges_of(Plain)) == {"size", "tol", "weight"}
    with pytest.raises(ValueError, match="'tol' parameter of Plain"):
        check_parameters("Plain", Plain(tol=-1.0).get_params(), ranges_of(Plain))
