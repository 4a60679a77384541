"""What `pack` makes of relative imports where the course asks for absolute ones, and of nothing else."""

import argparse
import ast
import json
import zipfile

import pytest

from referee.__main__ import main
from referee.check.absolute_imports import written_out
from referee.check.handin import HandIn
from referee.commands.pack import arguments
from tests import ROOT


def rewritten(text, path="team/sub/mod.py"):
    content = text if isinstance(text, bytes) else text.encode()
    return written_out(HandIn({path: content}))[0].files[path]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("from .x import a", "from team.sub.x import a"),
        ("from . import a", "from team.sub import a"),
        ("from .. import a", "from team import a"),
        ("from ..x.y import a as b, c", "from team.x.y import a as b, c"),
        ("from .import a", "from team.sub import a"),
        ("from.x import a", "from team.sub.x import a"),
        ("from . x import a", "from team.sub.x import a"),
        ("from .x import (  # why\n    a,\n    b,  # from .z import it\n)", None),
        ("def f():\n\tfrom .x import a  # here\n\treturn a", None),
        ("try: from .x import a\nexcept ImportError: from ..x import a; b = 1", None),
        ("from \\\n    .x import a", "from \\\n    team.sub.x import a"),
        ("from .x import *", "from team.sub.x import *"),
        ("from .größe import ä", "from team.sub.größe import ä"),
        ("x = '''\nfrom .x import a'''  # from .", "x = '''\nfrom .x import a'''  # from ."),
        ("raise E from .5", "raise E from .5"),
        ("def f():\n    yield from ...", "def f():\n    yield from ..."),
        ("from x import a\nimport b\nfrom __future__ import annotations", None),
        ("from ... import a", "from ... import a"),  # above the package: `check` objects to it
        ("print 'hello'\nfrom .x import a)", "print 'hello'\nfrom .x import a)"),  # no Python
        ("x = 1\r\nfrom .x import a\r\n", "x = 1\r\nfrom team.sub.x import a\r\n"),
        ("f = f'{a!r} {b:>{c}}'\nfrom .x import a", "f = f'{a!r} {b:>{c}}'\nfrom team.sub.x import a"),
    ],
)
def test_only_the_modules_name_in_a_relative_import_becomes_another(text, wanted):
    if wanted is None:
        wanted = text.replace("from .x", "from team.sub.x", 1).replace("from ..x", "from team.x")
    assert rewritten(text).decode() == wanted


@pytest.mark.parametrize(
    ("path", "module"), [("team/__init__.py", "team.x"), ("team/a/b/__init__.py", "team.a.b.x")]
)
def test_packages_own_file_counts_from_its_folder(path, module):
    assert rewritten("from .x import a\n", path).decode() == f"from {module} import a\n"


@pytest.mark.parametrize("head", [b"\xef\xbb\xbf", b"# coding: latin-1\n# gr\xf6\xdfe\n", b"\n\x0c\n"])
def test_bytes_around_it_stay_what_they_are(head):
    assert rewritten(head + b"from .x import a # \r\n\tb") == head + b"from team.sub.x import a # \r\n\tb"


def test_other_files_than_python_stay():
    assert rewritten("from .x import a", "team/notes.txt") == b"from .x import a"


IMPORTS = """
import pkgutil
from .board import SIZE
from . import board, moves as m
from .deep.inner import (
    HERE,  # a comment
)
assert pkgutil.get_data(__package__, "data/book.txt") == b"1"

"""
STUDENT = IMPORTS + (ROOT / "tests" / "players" / "handin" / "expendibots.py").read_text().replace(
    "        self.colour = colour\n", "        from .deep import inner\n        self.colour = colour\n"
)


def student(folder, **more):
    files = {
        "__init__.py": "from .player import Player\n",
        "player.py": STUDENT,
        "board.py": "SIZE = 8\n",
        "moves.py": "from .board import SIZE\n",
        "deep/__init__.py": "from .. import board\n",
        "deep/inner.py": "from ..board import SIZE\nfrom . import __name__ as HERE\n",
        "data/book.txt": "1",
        **more,
    }
    for name, text in files.items():
        path = folder / "team" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "team"


def test_zip_of_a_course_that_asks_for_it_is_absolute_under_the_name_given_and_is_what_was_tried(
    tmp_path, capsys
):
    out = tmp_path / "out.zip"
    assert main(["pack", "expendibots", str(student(tmp_path)), str(out), "--name", "seven"]) == 0
    shown = capsys.readouterr().out
    assert "relative imports are absolute in the zip: seven/__init__.py, " in shown
    with zipfile.ZipFile(out) as packed:
        sources = {name: packed.read(name).decode() for name in packed.namelist() if name.endswith(".py")}
    nodes = [node for text in sources.values() for node in ast.walk(ast.parse(text))]
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {node.level for node in imports} == {0}
    assert {node.module.partition(".")[0] for node in imports} == {"seven"}
    assert sources["seven/deep/__init__.py"] == "from seven import board\n"
    assert "from seven.deep.inner import (\n    HERE,  # a comment\n)" in sources["seven/player.py"]
    assert main(["check", "expendibots", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objections"] == found["remarks"] == 0
    assert main(["play", "expendibots", str(out), "random", "-v", "0"]) == 0


def test_other_courses_zips_keep_their_imports_and_json_says_what_was_done(tmp_path, capsys, no_news):
    path = student(tmp_path)
    for game, rewritten_files in (("expendibots", 5), ("ropasci", 0)):
        main(["pack", game, str(path), str(tmp_path / f"{game}.zip"), "--json"])
        found = json.loads(capsys.readouterr().out)
        assert len(found["rewritten"]) == rewritten_files and found["despite"] == []


def test_package_that_names_itself_is_told_how_it_could_have_another_name(tmp_path, capsys):
    path = student(tmp_path, **{"moves.py": "from team.board import SIZE\n"})
    assert main(["pack", "expendibots", str(path), str(tmp_path / "o.zip"), "--name", "seven"]) == 1
    assert "import relatively, which is made absolute in the zip" in capsys.readouterr().out


# In spite of an objection


def test_pack_writes_in_spite_of_the_steps_that_are_named_and_of_no_others(tmp_path, capsys, no_news):
    path = student(tmp_path, **{"board.py": "SIZE = (size := 8)\n"})
    out = tmp_path / "out.zip"
    words = ["pack", "expendibots", str(path), str(out)]
    assert main([*words, "--despite", "threads"]) == 1 and not out.exists()
    assert "1 objection: language" in capsys.readouterr().out
    assert main([*words, "--despite", "threads", "--despite", "language", "--json"]) == 0 and out.exists()
    found = json.loads(capsys.readouterr().out)
    assert found["packed"] is True and found["despite"] == ["language", "threads"]
    assert found["check"]["objections"] == 1
    assert main([*words, "--despite", "language"]) == 0
    assert "written in spite of language" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["second-game", "second game", "Second_Game"])
def test_steps_of_two_words_can_be_typed_with_a_hyphen(name):
    parser = argparse.ArgumentParser()
    arguments(parser)
    options = parser.parse_args(["expendibots", "team", "out.zip", "--despite", name])
    assert options.despite == ["second game"]


def test_step_that_there_is_not_is_a_sentence(tmp_path, capsys):
    words = ["pack", "expendibots", str(student(tmp_path)), str(tmp_path / "out.zip")]
    assert main([*words, "--despite", "everything"]) == 2
    said = capsys.readouterr().err
    assert "is no step; the steps are name, size" in said and said.count("\n") == 1
