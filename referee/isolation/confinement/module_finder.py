"""Finds a confined player's own modules in folders that may not be listed, as Python's finders would do."""

import os
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location


class Beside:
    """Finds packages and modules of a folder by their names, if they may be read; for `sys.meta_path`.

    A folder without an __init__.py is a package too where it may be listed, or leads to the player's own.
    """

    def __init__(self, folder: str, module: str):
        self.folder = folder
        steps = module.split(".")
        self.own = {".".join(steps[:count]) for count in range(1, len(steps) + 1)}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """The import system's question; what is within packages others find, except the player's own."""
        if path is not None and name not in self.own:
            return None
        place = os.path.join(self.folder, *name.split("."))
        for file, within in ((os.path.join(place, "__init__.py"), [place]), (f"{place}.py", None)):
            try:
                open(file, "rb").close()
            except OSError:
                continue
            return spec_from_file_location(name, file, submodule_search_locations=within)
        if not os.path.isdir(place) or name not in self.own and not self._is_open(place, name):
            return None
        spaces = ModuleSpec(name, None, is_package=True)
        spaces.submodule_search_locations = [place]
        return spaces

    def _is_open(self, place: str, name: str) -> bool:
        """Whether it may be listed, and is not less than a module of that name elsewhere."""
        try:
            os.scandir(place).close()
        except OSError:
            return False
        other = PathFinder.find_spec(name)
        return other is None or other.loader is None
