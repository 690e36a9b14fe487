"""Formats: one file each, from paths to Arrays in the file's own units.

A file that is damaged, cut off or of another kind raises InputError with the reason.
"""
