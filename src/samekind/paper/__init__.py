"""Reproduction of the paper: its data sets, its experiments, and its tables and figures."""
