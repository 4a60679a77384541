"""The rooms of the referee: which may import which, and that each says what it is for."""

import ast
import re

import pytest

from tests import ROOT

# From the highest to the lowest; those in one line do not know each other.
ROOMS = (
    ("commands",),
    ("lab",),
    ("check", "profile", "servers", "human"),
    ("view",),
    ("tournament",),
    ("match",),
    ("isolation",),
    ("players",),
    ("rules",),
)
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "referee").rglob("*.py"))


def imported(path):
    """The modules of the referee that a file imports, wherever in it it does."""
    for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_folder_of_the_referee_is_a_room_of_the_list():
    folders = {path.name for path in (ROOT / "referee").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_down_only(path):
    room = path.parts[1] if len(path.parts) > 2 else "commands"
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "referee" and len(parts) > 1 and parts[1] in LEVEL and parts[1] != room:
            assert LEVEL[parts[1]] > LEVEL[room], f"{path} imports {name}, which is not below {room}"


@pytest.mark.parametrize("room", LEVEL)
def test_a_room_says_what_it_is_for_in_one_sentence(room):
    text = ast.get_docstring(ast.parse((ROOT / "referee" / room / "__init__.py").read_bytes()))
    assert text and text.split("\n")[0].endswith("."), f"referee/{room}/__init__.py has no first sentence"


def test_no_agent_and_no_player_of_the_referees_is_imported_by_it():
    for path in FILES:
        for name in imported(path):
            assert not name.split(".")[0].endswith("_agent"), f"{path} imports {name}"


def test_shared_files_know_neither_agents_nor_the_referee():
    for path in sorted((ROOT / "shared").glob("*.py")):
        for name in imported(path.relative_to(ROOT)):
            assert not name.startswith("referee") and "_agent" not in name, f"{path.name} imports {name}"


def test_what_the_map_names_as_the_place_to_look_is_there():
    text = (ROOT / "referee" / "README.md").read_text(encoding="utf-8").partition("## Where to look")[2]
    places = re.findall(r"`([\w.]+)` in `([\w/]+\.py)`", text)
    assert len(places) > 6
    for name, path in places:
        (file,) = (folder / path for folder in (ROOT, ROOT / "referee") if (folder / path).is_file())
        named = {node.name for node in ast.walk(ast.parse(file.read_bytes())) if hasattr(node, "name")}
        assert set(name.split(".")) <= named, f"{path} has no {name}"
