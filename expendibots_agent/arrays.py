"""Reads the arrays of data/ without numpy, whose import would take four times as long as all the rest."""

import pkgutil


def read(name: str) -> bytes:
    """What a .npy file holds, without its header, which says at its 9th and 10th byte how long it is."""
    # The package is cut off the name, since older zip importers leave __package__ empty until later.
    data = pkgutil.get_data(__name__.rpartition(".")[0], "data/" + name)
    return data[10 + data[8] + 256 * data[9] :]
