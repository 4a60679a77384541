"""The collector of positions in which a longer search says something else."""

import re

import pytest

from referee import rules
from referee.commands import misjudged

# It takes the number of its own pebbles for its score, and sees the more of them the more nodes it has.
PLAYER = """
class Player:
    def __init__(self, colour, nodes):
        self.nodes, self.search = nodes, self

    def set_up(self, line):
        self.ponds = [int(number) for number in line.split()[1:]]
        self.mover = line[0]

    def action(self):
        mine = self.ponds[:6] if self.mover == "A" else self.ponds[7:13]
        self.score = sum(mine) if self.nodes > 1 else 0
        self.depth, self.first_move_cuts = 1, None
        return max(pond + 1 for pond in range(6) if mine[pond])
"""


def run(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["misjudged", *words])
    misjudged.main()
    return capsys.readouterr().out.splitlines()


def test_the_largest_errors_come_first_and_can_be_judged_again(tmp_path, monkeypatch, capsys):
    (tmp_path / "team.py").write_text(PLAYER)
    player, few = str(tmp_path / "team.py"), ("--nodes", "1", "--worst", "5", "--seed", "3")
    lines = run(monkeypatch, capsys, "kalaha", player, *few, "--positions", "30")
    assert lines == run(monkeypatch, capsys, "kalaha", player, *few, "--positions", "30")
    assert lines[0].startswith("30 positions: errors of ")
    places = [line[3:] for line in lines if line.startswith("at ")]
    errors = [float(longer) for longer in re.findall(r"\+0, longer \+(\d+);", "\n".join(lines))]
    assert len(places) == len(errors) == 5 and errors == sorted(errors, reverse=True)
    for place, error in zip(places, errors, strict=True):
        state = rules.parse("kalaha", place)
        (mover,) = state.to_act()
        assert error == sum(state.ponds[mover])
    kept = tmp_path / "worst.txt"
    kept.write_text("\n".join(lines), encoding="ascii")
    again = run(monkeypatch, capsys, "kalaha", player, *few, "--from", str(kept), "--most", "7")
    assert again[0].startswith("5 positions: errors of 7 on average")


def test_who_tells_no_score_is_refused_in_a_sentence(tmp_path, monkeypatch, capsys):
    (tmp_path / "mute.py").write_text(PLAYER.replace("self.score =", "self.told ="))
    for words in (("kalaha", str(tmp_path / "mute.py")), ("kalaha", "nosuch"), ("nogame", "nosuch")):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, capsys, *words, "--nodes", "1", "--positions", "2")
        assert ended.value.code == 2
        assert words[-1].split("/")[-1].partition(".")[0] in capsys.readouterr().err.replace(
            "nogame", "nosuch"
        )
