"""Writes a package's relative imports in full, `from .x` as `from NAME.x`, for courses that ask for it."""

import io
import tokenize
from collections.abc import Iterator, Sequence
from itertools import takewhile

from referee.check.handin import HandIn

Place = tuple[int, int]  # a line, from 1, and a column, from 0


def written_out(handin: HandIn) -> tuple[HandIn, list[str]]:
    """The package with absolute imports within it, and the files that changed; all else stays as it is."""
    files = {path: _file(path, content) for path, content in handin.files.items()}
    changed = [path for path, content in files.items() if content != handin.files[path]]
    return HandIn(files, handin.links, handin.strangers), changed


def _file(path: str, content: bytes) -> bytes:
    """The file with absolute imports; as it was where it cannot be read as Python."""
    if not path.endswith(".py"):
        return content
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        lines = content.decode(encoding).split("\n")
        tokens = list(tokenize.generate_tokens(io.StringIO("\n".join(lines), newline="\n").readline))
    except (SyntaxError, ValueError, LookupError, tokenize.TokenError):
        return content
    # From the end, so that what is still to be replaced stays where it is.
    for start, end, module in reversed(list(_replacements(tokens, path.split("/")[:-1]))):
        _replace(lines, start, end, module)
    return "\n".join(lines).encode(encoding)


def _replacements(
    tokens: Sequence[tokenize.TokenInfo], package: list[str]
) -> Iterator[tuple[Place, Place, str]]:
    """From where to where the name of a module stands that is relative to the package, and its whole name."""
    for number, token in enumerate(tokens):
        if token.type != tokenize.NAME or token.string != "from":
            continue
        # Nothing but an import has dots behind `from`, a name perhaps, and then `import`.
        named = list(takewhile(_names_a_module, tokens[number + 1 :]))
        after = tokens[number + 1 + len(named)]
        text = "".join(one.string for one in named)
        below = text.lstrip(".")
        level = len(text) - len(below)
        if after.string == "import" and 0 < level <= len(package):
            base = package[: len(package) + 1 - level]
            yield named[0].start, named[-1].end, ".".join([*base, below] if below else base)


def _names_a_module(token: tokenize.TokenInfo) -> bool:
    return token.string in (".", "...") or token.type == tokenize.NAME and token.string != "import"


def _replace(lines: list[str], start: Place, end: Place, text: str) -> None:
    """Put the text there, with blanks where it would grow together with its neighbours."""
    (first, column), (last, until) = start, end
    before, behind = lines[first - 1][:column], lines[last - 1][until:]
    between = " " if before.endswith("from") else ""
    after = " " if behind.startswith("import") else ""
    lines[first - 1 : last] = [f"{before}{between}{text}{after}{behind}"]
