"""The project as a whole: its top level, its lint, who may import whom, what documents may say."""

import ast
import re
import subprocess
import sys

import pytest

from tests import ROOT

TOP_LEVEL = {
    "README.md",
    "referee",
    "shared",
    "tests",
    "pyproject.toml",
    ".ci",
    ".gitignore",
    "LICENSE",
}
AGENTS = sorted(path.name for path in ROOT.glob("*_agent"))
LEFT_BY_TOOLS = {".git", ".venv", ".ruff_cache", ".mypy_cache", ".pytest_cache", ".hypothesis", "__pycache__"}


def python_files(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


def test_top_level_holds_what_the_layout_names_and_nothing_else():
    found = {path.name for path in ROOT.iterdir()}
    extra = {name for name in found - TOP_LEVEL - LEFT_BY_TOOLS if not name.endswith((".egg-info", "_agent"))}
    assert not extra, f"not in the layout: {sorted(extra)}"
    assert TOP_LEVEL - found == set(), f"missing: {sorted(TOP_LEVEL - found)}"


@pytest.mark.parametrize("step", [["check"], ["format", "--check"]], ids=" ".join)
def test_lint_and_format_are_clean(step):
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *step, "--no-cache", "."], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_formatter_is_spared_for_tables_of_numbers_alone():
    table = re.compile(r"[\s0-9A-Fa-fx,\[\]().-]*|    np\.\w+,")
    for path in python_files("referee", "shared", *AGENTS):
        lines = path.read_text(encoding="utf-8").splitlines()
        for statement in ast.parse("\n".join(lines)).body:
            first, last = statement.lineno - 1, statement.end_lineno - 1
            if any("fmt: " in line for line in lines[first : last + 1]):
                odd = [line for line in lines[first + 1 : last] if not table.fullmatch(line)]
                assert not odd, f"{path.relative_to(ROOT)}:{first + 1} is no table: {odd}"


@pytest.mark.lengthy
def test_types_are_as_the_hints_say():
    run = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_referee_imports_no_agent():
    for path in python_files("referee"):
        agents = [name for name in imported_modules(path) if name.split(".")[0].endswith("_agent")]
        assert not agents, f"{path.relative_to(ROOT)} imports {agents}"


@pytest.mark.parametrize("folder", AGENTS)
def test_agent_imports_nothing_of_the_project_absolutely(folder):
    for path in python_files(folder):
        if "train" in path.relative_to(ROOT).parts:
            continue  # training scripts may use the referee; they are never packed
        own = {"referee", "shared", "tests", *AGENTS}
        named = [name for name in imported_modules(path) if name.split(".")[0] in own]
        assert not named, f"{path.relative_to(ROOT)} imports {named}: only relative imports survive renaming"


def test_every_python_file_says_in_its_first_sentence_what_it_is_for():
    for path in python_files("referee", "shared", "tests", *AGENTS):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        if tree.body:
            assert ast.get_docstring(tree), f"{path.relative_to(ROOT)} has no docstring"


def test_documents_name_no_path_outside_the_project():
    outside = re.compile(r"(?<!\.\./)\.\./shared/|/work/|/root/|/opt/|\.library/")
    for path in [*ROOT.rglob("*.md"), *python_files("referee", "shared"), ROOT / "pyproject.toml"]:
        if not LEFT_BY_TOOLS & set(path.relative_to(ROOT).parts):
            found = outside.search(path.read_text(encoding="utf-8"))
            assert not found, f"{path.relative_to(ROOT)} mentions {found.group()}"


def test_readme_opens_with_the_two_commands():
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert "referee play" in blocks[0] and blocks[0].count("\n") == 1
    assert "pytest" in blocks[1] and "[test]" in blocks[1] and blocks[1].count("\n") == 1
    assert all("-m venv" in block for block in blocks[:2])
