"""Games that are ended because both searches call them decided: when, and how that is said everywhere."""

import json

import pytest

from referee.__main__ import main
from referee.match.adjudication import ADJUDICATED, Adjudication, from_plain
from referee.match.loop import Turn

COLOURS = ("white", "black")


def turns(*scores):
    """A history in which players act by turns; each score is what who acted told, None for nothing."""
    return [
        Turn(
            number,
            (player,),
            {},
            True,
            (0, 0),
            (0, 0),
            {player: {"score": score}} if score is not None else {},
        )
        for number, score in enumerate(scores, 1)
        for player in [(number - 1) % 2]
    ]


WIN = Adjudication(win=(100, 2))
DRAW = Adjudication(draw=(5, 2, 6))


@pytest.mark.parametrize(
    "how, scores, verdict",
    [
        (WIN, (150, -150, 100, -100), (1, 0)),
        (WIN, (-150, 150, -100, 200), (0, 1)),
        (WIN, (150, -150, 99, -150), None),  # not sure enough
        (WIN, (150, 150, 150, 150), None),  # both hope to win
        (WIN, (150, -150, 100), None),  # the other has said so once
        (WIN, (0, 0, 150, -150, 120, -130), (1, 0)),
        (WIN, (150, -150, 150, None), None),  # who tells nothing plays to the end
        (WIN, (150, None, 150, None, 150, None), None),
        (WIN, (0, 0, 0, 0, 0, 0, 0, 0), None),  # not asked for
        (DRAW, (0, 0, 1, -5, 5, 0, 0), (0.5, 0.5)),
        (DRAW, (0, 0, 1, -5, 5, 0), None),  # not after that turn yet
        (DRAW, (0, 0, 0, 0, 0, 0, 6), None),
        (Adjudication(), (900, -900, 900, -900), None),
    ],
)
def test_a_game_is_decided_when_both_have_said_so_often_enough(how, scores, verdict):
    found = how.verdict(turns(*scores), COLOURS)
    assert (found and found[0]) == verdict
    assert not found or found[1].startswith(ADJUDICATED)


def test_it_survives_being_sent():
    for how in (WIN, DRAW, Adjudication((1.5, 3), (0, 1, 0))):
        assert from_plain(json.loads(json.dumps(how.plain()))) == how
    assert from_plain(None) is None


def test_an_adjudicated_game_says_so_in_its_record_the_journal_and_beside_the_statistics(tmp_path, capsys):
    journal, records = tmp_path / "journal", tmp_path / "records"
    words = ["tournament", "kalaha:4x3", "kalaha_agent", "x=kalaha_agent,nodes=30", "--nodes", "400"]
    words += ["--pairs", "1", "--adjudicate-win", "1,1", "--journal", str(journal), "--record", str(records)]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert "games were adjudicated" in printed.out and "games were adjudicated" in printed.err
    pair = json.loads(journal.read_text().splitlines()[1])
    said = [game["reason"].startswith(ADJUDICATED) for game in pair["games"]]
    assert any(said)
    assert main(["replay", *map(str, sorted(records.iterdir()))]) == 0
    assert capsys.readouterr().out.count("same as far as it goes, adjudicated: both searches call it") == sum(
        said
    )
    # Without the option the journal is another tournament's.
    assert (
        main(
            [
                "tournament",
                "kalaha:4x3",
                "kalaha_agent",
                "x=kalaha_agent,nodes=30",
                "--nodes",
                "400",
                "--journal",
                str(journal),
            ]
        )
        == 2
    )
    assert "its adjudication is" in capsys.readouterr().err


@pytest.mark.parametrize(
    "word", ["--adjudicate-win=5", "--adjudicate-win=-1,2", "--adjudicate-draw=1,2", "--adjudicate-win=x,1"]
)
def test_what_cannot_be_understood_is_a_sentence(word, capsys):
    assert main(["tournament", "kalaha", "random", "greedy", word]) == 2
    assert "should be SCORE,ACTIONS" in capsys.readouterr().err
