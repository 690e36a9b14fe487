"""The data sets, a file for each family: RECORDS holds what is known of them.

A new data set is a new file here, and a test.
"""
