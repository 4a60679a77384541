"""What axe-core, a checker of accessibility, finds in a page that a browser shows."""

from functools import cache
from importlib.resources import files

SERIOUS = ("serious", "critical")
RUN = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations)"


@cache
def _script() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def serious(page) -> list[str]:
    """A line for each thing that keeps somebody from using the page: the rule, and where it is broken."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_script())
    found = page.evaluate(RUN)
    return [
        f"{one['id']}: {one['help']} ({'; '.join(str(node['target']) for node in one['nodes'][:4])})"
        for one in found
        if one["impact"] in SERIOUS
    ]
