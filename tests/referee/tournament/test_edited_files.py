"""Journals and records that somebody has edited: one sentence each, whatever stands in whichever field."""

import json
import os
from itertools import product
from random import Random

import pytest

from referee.__main__ import main

WORDS = ["tournament", "kalaha:4x3", "random", "greedy", "--pairs", "1", "--jobs", "1"]
ODD = [
    None,
    True,
    -1,
    10**400,
    1e308,
    float("nan"),
    "",
    "x",
    "\0",
    "1",
    [],
    [[]],
    [None],
    ["1"],
    {},
    {"a": 1},
]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The lines of a journal whose games have records, and a record."""
    folder = tmp_path_factory.mktemp("played")
    words = [*WORDS, "--journal", str(folder / "j.jsonl"), "--record", str(folder / "records")]
    assert main(words) == 0
    record = sorted((folder / "records").iterdir())[0]
    return (folder / "j.jsonl").read_text(encoding="utf-8").splitlines(), record.read_text(encoding="utf-8")


def fields(value, path=()):
    """The paths to all that is in a value of JSON."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*path, key)
        if isinstance(key, str) or key < 2:
            yield from fields(one, (*path, key))


def edited(value, path, new):
    """A copy with another value at that place; without it, where the new one is `edited` itself."""
    whole = json.loads(json.dumps(value))
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    if new is edited:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return whole


def some(cases):
    """A sample of the cases, which are thousands; EDITED=all takes them all."""
    cases = list(cases)
    return cases if os.environ.get("EDITED") == "all" else Random(1).sample(cases, min(120, len(cases)))


def test_a_journal_with_any_field_of_a_pair_changed_makes_a_report_or_a_sentence(played, tmp_path, capsys):
    (header, pair), _ = played
    entry = json.loads(pair)
    journal = tmp_path / "j.jsonl"
    words = [*WORDS, "--journal", str(journal), "--report", str(tmp_path / "r.html")]
    for path, new in some(product(fields(entry), [edited, *ODD])):
        journal.write_text(f"{header}\n{json.dumps(edited(entry, path, new))}\n", encoding="utf-8")
        code = main(words)
        said = capsys.readouterr().err
        assert code in (0, 1, 2) and "Traceback" not in said, (path, new, said)


def test_a_journal_with_any_field_of_its_header_changed_is_refused_or_goes_on(played, tmp_path, capsys):
    (header, pair), _ = played
    whole = json.loads(header)
    journal = tmp_path / "j.jsonl"
    for path, new in some(product(fields(whole), [edited, *ODD])):
        journal.write_text(f"{json.dumps(edited(whole, path, new))}\n{pair}\n", encoding="utf-8")
        code = main([*WORDS, "--journal", str(journal), "--report", str(tmp_path / "r.html")])
        said = capsys.readouterr().err
        assert code in (0, 2) and "Traceback" not in said, (path, new, said)


def test_standings_of_a_journal_with_any_field_changed_are_made_or_refused(played, tmp_path, capsys):
    lines = [json.loads(line) for line in played[0]]
    journal = tmp_path / "j.jsonl"
    for place in (0, 1):
        for path, new in some(product(fields(lines[place]), [edited, *ODD])):
            changed = [edited(line, path, new) if line is lines[place] else line for line in lines]
            journal.write_text("".join(f"{json.dumps(line)}\n" for line in changed), encoding="utf-8")
            code = main(["standings", str(journal), "--report", str(tmp_path / "r.html")])
            said = capsys.readouterr().err
            assert code in (0, 2) and "Traceback" not in said, (path, new, said)


def test_a_record_with_any_line_changed_is_replayed_and_shown_or_refused(played, tmp_path, capsys):
    lines = played[1].splitlines()
    copy = tmp_path / "copy.txt"
    literals = [*map(repr, ODD[:5] + ODD[6:]), "({'game': 'x'}, 1)", "({}, {})", "('a',)", "(1, 2)", ""]
    for number, new in some(product(range(len(lines)), literals)):
        key = lines[number].partition(": ")[0]
        changed = [*lines[:number], f"{key}: {new}", *lines[number + 1 :]]
        copy.write_text("\n".join(changed) + "\n", encoding="utf-8")
        code = main(["replay", str(copy), "--html", str(tmp_path / "page.html")])
        said = capsys.readouterr().err
        assert code in (0, 1, 2) and "Traceback" not in said, (key, new, said)
