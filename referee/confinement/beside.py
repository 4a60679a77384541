"""Finds a confined player's own modules in a folder that may not be listed, as Python's finders would do."""

import os
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class Beside:
    """Finds packages and modules of a folder by their names, if they may be read; for `sys.meta_path`."""

    def __init__(self, folder: str):
        self.folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """The import system's question; what is within packages others find."""
        if path is not None:
            return None
        package = os.path.join(self.folder, name)
        for file, within in ((os.path.join(package, "__init__.py"), [package]), (f"{package}.py", None)):
            try:
                open(file, "rb").close()
            except OSError:
                continue
            return spec_from_file_location(name, file, submodule_search_locations=within)
        return None
