"""What of an agent is handed in, and the zip that holds it: the same files give the same bytes."""

import io
import re
import zipfile
from pathlib import Path

from referee.files import paths
from referee.players import Spec

# What makes or tests an agent, and what tools leave behind, is not part of it.
LEFT_OUT = re.compile(
    r"train|tests?|yardstick\.py|test_.*\.py|.*_test\.py|conftest\.py|__pycache__|.*\.py[co]|.*~|\..*"
)
EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can tell: no file's own time goes in
READABLE = 0o644 << 16


def handed_in(spec: Spec) -> dict[str, bytes]:
    """The files by their path below the player's folder, sorted; a zip's are those inside it."""
    if Path(spec.folder).is_file():
        with zipfile.ZipFile(spec.folder) as archived:
            found = {name: archived.read(name) for name in archived.namelist() if not name.endswith("/")}
    else:
        found = {name: path.read_bytes() for name, path in paths(spec).items() if _belongs(name)}
    return {name: found[name] for name in sorted(found) if _belongs(name)}


def archive(files: dict[str, bytes]) -> bytes:
    """The zip of these files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system, entry.external_attr = 3, READABLE  # as made on Unix, wherever it was made
            zipped.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def _belongs(name: str) -> bool:
    _, *below = name.split("/")  # the package itself may be called anything
    return not any(LEFT_OUT.fullmatch(part) for part in below)
