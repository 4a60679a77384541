"""One game: the loop that plays it, its openings, its record. Start reading in loop.py.

For a program the name is a function as well: `referee.match(game, first, second, pairs=20)` plays a series,
as `match` in api.py says.  Whoever imports from this folder makes it an attribute of `referee`, so it is the
module itself that can be called.
"""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        from referee import api

        return api.match(*arguments, **keywords)


sys.modules[__name__].__class__ = _Callable
