"""What can be wrong with a data set: its name, its absence, its content."""


class DatasetError(ValueError):
    """A data set that cannot be used; the message says why and what to do."""


class UnknownDataset(DatasetError):
    """No data set has this name."""


class MissingDataset(DatasetError):
    """The data set is in none of the places looked in, and could not be obtained."""


class RefusedDataset(DatasetError):
    """Something is there under the name of the data set, and it is not the data set."""
