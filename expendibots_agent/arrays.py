"""Reads the arrays of data/ without numpy, whose import would take four times as long as all the rest."""

import pkgutil


def read(name: str) -> bytes:
    """What a .npy file holds, without its header, which says at its 9th and 10th byte how long it is.

    Nothing where there is no such file: it may be lost, or about to be made, for which train/ imports
    this package too.
    """
    # The package is cut off the name, since older zip importers leave __package__ empty until later.
    try:
        data = pkgutil.get_data(__name__.rpartition(".")[0], "data/" + name)
    except OSError:
        return b""
    return data[10 + int.from_bytes(data[8:10], "little") :]
