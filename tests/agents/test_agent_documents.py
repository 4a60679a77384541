"""What the agents' READMEs and EXPERIMENTS.md say: short, and with names of files and commands that exist."""

import importlib
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.agents import MEASURED, agent_of

AGENTS = [ROOT / agent_of(game) for game in MEASURED]
WORDS = 900  # in a README, fewer

agents = pytest.mark.parametrize("agent", AGENTS, ids=lambda path: path.name)


def text(agent, name):
    return (agent / name).read_text(encoding="utf-8")


def documents(agent):
    """Each document's name and text; not every agent has data."""
    names = ["README.md", "EXPERIMENTS.md", *(["data/README.md"] if (agent / "data").is_dir() else [])]
    return [(name, text(agent, name)) for name in names]


@agents
def test_a_readme_is_short_and_leaves_what_was_tried_to_experiments(agent):
    assert len(text(agent, "README.md").split()) < WORDS
    assert "(EXPERIMENTS.md)" in text(agent, "README.md")


@agents
def test_every_command_of_the_documents_names_a_module_that_is_there(agent):
    for name, words in documents(agent):
        found = re.findall(r"python -m ([a-z]\w*(?:\.\w+)*)", words)
        assert found or name == "data/README.md", f"{name} has no command"
        for module in found:
            assert module == "pytest" or importlib.util.find_spec(module), f"{name}: no module {module}"


@agents
def test_every_option_of_a_command_in_the_documents_is_one_of_that_module(agent):
    for name, words in documents(agent):
        for module, rest in re.findall(r"python -m (\w+_agent[.\w]*)([^`\n]*)", words):
            source = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
            for common in ("limits", "train_matches"):
                source += (ROOT / f"referee/commands/{common}.py").read_text(encoding="utf-8")
            for option in re.findall(r" (--[a-z][-a-z]*)", rest):
                assert f'"{option}"' in source, f"{name}: {module} has no option {option}"


@agents
def test_every_file_that_the_documents_name_is_there(agent):
    for name, words in documents(agent):
        for path in set(re.findall(r"`([\w/.]+\.(?:py|npy|md|txt|c))`", words)):
            places = (agent / path, (agent / name).parent / path, ROOT / path, agent / "data" / path)
            assert any(place.is_file() for place in places), f"{name}: no file {path}"


@agents
def test_the_readme_has_a_row_for_every_keyword_of_the_player(agent):
    player = importlib.import_module(agent.name).Player
    wanted = set(inspect.signature(player).parameters) - {"colour"}
    section = text(agent, "README.md").partition("\n## Its keywords\n")[2].partition("\n## ")[0]
    first_columns = "".join(re.findall(r"^\| (`.*?) \|", section, re.M))
    assert set(re.findall(r"`(\w+)`", first_columns)) == wanted
