"""A graph chosen by what is known, and labels that spread over it: the steps around the solver.

Nothing here has the units of X or depends on the number of samples: every number is a share, a
rank or a count.
"""
