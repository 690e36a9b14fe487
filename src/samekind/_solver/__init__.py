"""Algorithms 2 and 3: the embedding and the graph, by turns."""

from samekind._solver.alternating import solve
from samekind._solver.records import Iteration, Optimality, Problem, Solution, State

__all__ = ["Iteration", "Optimality", "Problem", "Solution", "State", "solve"]
