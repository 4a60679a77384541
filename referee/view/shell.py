"""The frame of every page: its head, the policy of what it may load and run, and how it is written to a file.

A page in a file needs nothing else and asks for nothing: its policy allows no network, and of style and
script only the one of each that it carries, by its hash; so no attribute `style` or `onclick` has any effect.
A page that is served takes style, scripts and news from its own server and from nowhere else.
"""

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from referee import UsageError

NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'"
SERVED = f"{NOTHING_ELSE}; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:"


def document(
    title: str, body: str, style: str, script: str = "", kind: str = "", inner: tuple[str, str] = ("", "")
) -> str:
    """A page for a file, that may run this script, use this style and do nothing else.

    `inner` is the style and the script of pages that it shows within itself, which may do no more.
    """
    styles, scripts = [filter(None, two) for two in zip((style, script), inner, strict=True)]
    policy = f"{NOTHING_ELSE}; style-src {' '.join(map(_hash, styles))}"
    if hashes := " ".join(map(_hash, scripts)):
        policy += f"; script-src {hashes}"
    run = f"<script>{script}</script>" if script else ""
    main = f'<main class="{kind}">{body}</main>{run}'
    return _page(title, policy, f"<style>{style}</style>", main)


def served(title: str, body: str, styles: Sequence[str], scripts: Sequence[str]) -> str:
    """A page for a server, which has those files beside it."""
    linked = "".join(f'<link rel="stylesheet" href="{name}">\n' for name in styles)
    linked += "".join(f'<script src="{name}" defer></script>\n' for name in scripts)
    return _page(title, SERVED, f'<link rel="icon" href="data:,">\n{linked}', body)


def write(path: Path, text: str) -> None:
    """Write a page; UsageError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """UsageError now rather than when all is done that is to be written there; it stays as it is."""
    was_there = path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a").close()
        if not was_there:
            path.unlink()
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def inert(data: object) -> str:
    """Data as JSON in which nothing can end a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def address(path: str | Path) -> str:
    """A file's name in a link; it may be no text."""
    return quote(os.fsencode(path))


def _page(title: str, policy: str, more: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n{more}</head>\n<body>{body}</body></html>\n"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
