"""The steps of the method, each a function of plain arrays."""
