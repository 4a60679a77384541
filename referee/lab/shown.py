"""What the page shows of a file in the folder, of a position, and of a player's source."""

import json
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.check.all_steps import STEPS
from referee.human.clicks import steps
from referee.isolation import levels
from referee.lab import words
from referee.lab.found import Seen, as_listed, found, inside, own_players
from referee.match import judging
from referee.match.record import Account
from referee.players import names
from referee.players.names import HUMAN
from referee.players.text import printable, shorten
from referee.profile import page as profile_page
from referee.profile.measure import FORMAT
from referee.tournament.journal import ABOUT
from referee.tournament.standings import ON_FAULT, Standings, of_journals
from referee.view import boards, page, report
from referee.view.game import ShownGame

TOP = 20  # lines of a profile
# Of the limits that a record tells, the options that set them.
OPTIONS = {
    "game": "time",
    "action": "action-time",
    "first": "first-time",
    "megabytes": "space",
    "nodes": "nodes",
}
FALLS = 8  # turns at which a score fell most
AROUND = 3  # lines of source before and behind one that is shown
SOURCES = 40  # that are shown of a check
PLACE = re.compile(r"([\w./-]+\.py)(?::| line |, line )(\d{1,6})\b")


def there(folder: Path, seen: Seen | None = None) -> dict[str, Any]:
    """All that the first page lists; `seen` as `found` has it."""
    games = []
    for name in rules.games():
        state = rules.start(name)
        variants = [f"{name}:{one}" for one in state.VARIANTS]
        limits = state.LIMITS.keywords()
        has = {"colours": state.COLOURS, "drawn": boards.is_drawn(name), "at_once": len(state.to_act()) > 1}
        shown = page.shown(name, state)
        games.append({"game": name, "variants": variants, "limits": limits, "start": shown, **has})
    level, _ = levels.with_warning(None)
    isolation = levels.line(level)
    return {
        "folder": _short(folder),
        "is_there": folder.is_dir(),
        "games": games,
        "own": own_players(),
        "isolation": isolation,
        "steps": len(STEPS),
        "writable": os.access(folder, os.W_OK),
        **found(folder, seen),
    }


def _short(folder: Path) -> str:
    """A folder as shells show it: one's own home is a tilde."""
    home = os.path.expanduser("~")
    return f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else str(folder)


def recorded(folder: Path, path: str) -> dict[str, Any]:
    """A recorded game, turn by turn."""
    account = judging.read(inside(folder, path))
    problem = ""
    try:
        judged = judging.judge(account)
    except judging.Difference as difference:
        judged, problem = "", f"this file differs from the rules: {difference}"
        account = _legal_part(account)
    game = ShownGame.of(account)
    players = account.header.get("players")
    if not isinstance(players, tuple) or len(players) != 2:
        players = ()
    return {
        "data": page.data(game),
        "ending": problem or game.ending(),
        "judged": judged,
        "players": [as_listed(folder, str(one)) for one in players],
        "limits": list(map(dict, game.limits)),
        "options": options(account.game, game.limits, _humans(account)),
        "is_over": account.verdict is not None,
        "goes_on": bool(game.states[-1].to_act()) and not problem,
        "positions": [state.without_history().text() for state in game.states],
        "falls": falls(account),
        "slowest": slowest(account),
        "begun": str(account.header.get("begun", ""))[:500],
        "isolation": str(account.header.get("isolation", ""))[:20],
    }


def _humans(account: Account) -> set[int]:
    """Which players were played by hand from the start."""
    players = account.header.get("players")
    return {
        player for player, name in enumerate(players if isinstance(players, tuple) else ()) if name == HUMAN
    }


def options(game: str, limits: Sequence[Mapping[str, float]], humans: Collection[int] = ()) -> dict[str, str]:
    """The options of `play` that gave players these limits, where they are not the course's.

    One value is for programs: a human who has no limit needs none, and who plays on there has the program's.
    """
    course = rules.start(game).LIMITS
    usual = {"game": course.game, "action": course.action, "first": course.first}
    usual["megabytes"] = course.megabytes
    found = {}
    for name, option in OPTIONS.items():
        first, second = set_to = [one.get(name) for one in limits]
        if any(not set_to[player] for player in humans):
            first = second = first or second
        if (first, second) != (usual.get(name), usual.get(name)) and (first or second):
            values = [f"{value or 0:g}" for value in (first, second)]
            found[option] = values[0] if first == second else ",".join(values)
    return found


def falls(account: Account) -> list[dict[str, Any]]:
    """The turns at which a player's score fell most since its turn before, the deepest first.

    A score is what a player's search says.  Where a player tells none, what the other's rose by stands for
    it, at the turn that it played in between.
    """
    found = []
    last: dict[int, tuple[int, float]] = {}  # by player, when it told a score, and which
    acted: dict[int, int] = {}
    tell = {player for entry in account.turns for player, said in entry.searches.items() if "score" in said}
    for turn, entry in enumerate(account.turns, 1):
        for player, said in sorted(entry.searches.items()):
            if "score" not in said:
                continue
            since, before = last.get(player, (turn, said["score"]))
            last[player] = turn, said["score"]
            change = {"before": before, "after": said["score"], "by": player}
            if said["score"] < before:
                found.append({"turn": turn, "player": player, **change})
            elif said["score"] > before and 1 - player not in tell and acted.get(1 - player, 0) >= since:
                found.append({"turn": acted[1 - player], "player": 1 - player, **change})
        acted.update(dict.fromkeys(entry.players, turn))
    return sorted(found, key=lambda one: -abs(one["after"] - one["before"]))[:FALLS]


def slowest(account: Account) -> list[dict[str, Any]]:
    """Of each program the turn that took it longest."""
    found = []
    for player in sorted({0, 1} - _humans(account)):
        took = [
            (entry.cpu[player], -turn)
            for turn, entry in enumerate(account.turns, 1)
            if entry.cpu and player in entry.players
        ]
        if took and max(took)[0] > 0:
            seconds, turn = max(took)
            found.append({"turn": -turn, "player": player, "seconds": seconds})
    return found


def _legal_part(account: Account) -> Account:
    """What of a game is legal, as far as it goes."""
    turns = 0
    opening = 0
    try:
        for entry, _ in judging.states(account):
            if opening < len(account.opening):
                opening += 1
            else:
                assert entry
                turns += 1
    except judging.Difference:
        pass
    return Account(
        account.game, account.colours, account.header, account.opening[:opening], account.turns[:turns]
    )


def standings(folder: Path, path: str) -> dict[str, Any]:
    """A tournament, from its journal."""
    journal = inside(folder, path)
    now = of_journals([journal])
    about = now.header.get(ABOUT, {})
    summary = {
        **now.summary(),
        "seconds": round(now.results.seconds, 3),
        "busy": None,
        "resumed": now.results.pairs,
        "isolation": str(now.header.get("isolation", "")),
    }
    return {
        "html": report.body(report.Page(summary, now)),
        "game": now.header["game"],
        "players": [printable(str(one["player"]))[:100] for one in now.header["players"]],
        "pairs": now.results.pairs,
        "expected": now.expected,
        "is_over": now.is_over,
        "stopped_by": _stopped_by(now),
        "unable": list(_unable(now)),
        "games": now.results.games,
        "command": str(about.get("command", ""))[: words.LONGEST],
        "records": _records(now),
    }


def _unable(now: Standings) -> Iterator[str]:
    """Who completes no action, and why."""
    for index, why in sorted(now.results.unable.items()):
        name = printable(now.results.players[index].name)[:100]
        yield f"{name} completes no action: {shorten(printable(why), 300)}"


def _stopped_by(now: Standings) -> list[str]:
    """The players that failed before their first action, where that ends the tournament."""
    if now.header.get(ABOUT, {}).get(ON_FAULT) != "stop":
        return []
    return [printable(now.results.players[index].name)[:100] for index in sorted(now.results.broken)]


def _records(now: Any) -> list[dict[str, Any]]:
    """The records of its games that were kept, as far as they are in the journal."""
    rows: list[dict[str, Any]] = []
    for pair in now.pairs():
        for game in pair.games:
            if game.record and len(rows) < 200:
                winner = "" if game.winner is None else now.results.players[pair.players[game.winner]].name
                said = {"winner": printable(winner)[:100], "reason": shorten(game.reason)}
                rows.append({"path": game.record, "pair": pair.number, **said})
    return rows


# Of a journal's own command, what is repeated when it is gone on with: nothing that writes elsewhere, starts
# other machines' work or lowers the isolation.
REPEATED = (
    "format",
    "pairs",
    "rounds",
    "opening",
    "order",
    "seed",
    "sprt",
    "sprt-model",
    "on-fault",
    "adjudicate-win",
    "adjudicate-draw",
    "time",
    "space",
    "action-time",
    "first-time",
    "game-wall",
    "nodes",
    "strict",
    "wall",
    "jobs",
    "cold",
    "json",
    "boards",
    "journal",
    "balanced",
    "record",
)


def going_on(folder: Path, path: str) -> words.Words:
    """The words that go on with the tournament of a journal; UsageError where they are not for a click."""
    journal = inside(folder, path)
    command = standings(folder, path)["command"]
    try:
        _, name, *typed = shlex.split(command)
    except ValueError:
        name, typed = "", []
    if name != "tournament":
        raise UsageError("this journal does not say by which command it was begun")
    options = [one[2:].partition("=") for one in typed if one.startswith("--")]
    others = [option for option, _, _ in options if option not in REPEATED]
    if others:
        raise UsageError(f"its command has --{others[0]}, which is for a terminal: {command}")
    kept = [one for one in typed if not one.startswith(("--journal", "--json", "--boards"))]
    if any(option == "record" and value != words.RECORDS for option, _, value in options):
        raise UsageError(f"its command keeps records elsewhere, which is for a terminal: {command}")
    relative = journal.relative_to(folder.resolve()).as_posix()
    return ["tournament", *kept, f"--journal={relative}", "--json", "--boards"]


def profiled(folder: Path, path: str) -> dict[str, Any]:
    """A saved profile, as its page shows it."""
    try:
        profile = json.loads(inside(folder, path).read_text(encoding="utf-8"))
        if profile["profile"] != FORMAT:
            raise ValueError
        body, title = profile_page.body(profile, None, TOP), profile_page.title(profile)
        turn = profile["turn"]
        return {
            "html": body,
            "title": title,
            "game": profile["game"],
            "agent": profile["agent"],
            "where": str(turn["where"]),
            "command": _profiling(profile["game"], profile["agent"], str(turn["where"])),
        }
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UsageError("this is no saved profile of this version; make one anew") from None


def _profiling(game: str, agent: str, where: str) -> str:
    """The line that profiles such a turn."""
    at = re.fullmatch(r"turn (\d+) of (.+)", where)
    place = {"turn": at[1], "record": at[2]} if at else {}
    return words.line(words.profile({"game": game, "agent": agent, **place}))


def checked(folder: Path, game: str, agent: str) -> dict[str, Any] | None:
    """What `check` last said of a player; None where it was not asked."""
    try:
        text = inside(folder, words.checked(game, agent)).read_text(encoding="utf-8")
        found = json.loads(text)
        found["steps"] = [with_sources(folder, agent, step) for step in found["steps"]]
        return found
    except UsageError:
        return None
    except (ValueError, LookupError, TypeError):
        raise UsageError("what is kept of its last check cannot be read; check it again") from None


def with_sources(folder: Path, agent: str, step: Mapping[str, Any]) -> dict[str, Any]:
    """A step of a check, with the lines of source that it names."""
    sources: list[dict[str, Any]] = []
    if step.get("state") in ("fail", "remark"):
        for file, line in dict.fromkeys(PLACE.findall(str(step.get("found", "")))):
            if len(sources) < SOURCES and (lines := source(folder, agent, file, int(line))):
                sources.append({"file": file, "line": int(line), "lines": lines})
    return {**step, "sources": sources}


def source(folder: Path, agent: str, file: str, line: int) -> list[tuple[int, str]]:
    """Lines around one of a player's source; none where they are not to be had."""
    try:
        spec = names.resolve(_from(folder, agent))
        home = Path(spec.folder)
        if not home.is_dir():
            return []
        top = home / spec.module.partition(".")[0]
        alone = home / f"{Path(file).parent.name}.py"  # a file is checked as a package of its name
        places = (home / file, top / file, top / Path(file).name, alone)
        known = [one for one in places if one.is_file() and one.resolve().is_relative_to(home.resolve())]
        text = known[0].read_text(encoding="utf-8", errors="replace").splitlines() if known else []
    except (OSError, UsageError, ValueError):
        return []
    numbered = list(enumerate(text, 1))[max(0, line - 1 - AROUND) : line + AROUND]
    return [(number, printable(one.replace("\t", "    "))[:200]) for number, one in numbered]


def _from(folder: Path, agent: str) -> str:
    """A player's name as it is found from any folder."""
    return str(folder / agent) if agent.startswith("./") else agent


def position(game: str, text: str) -> dict[str, Any]:
    """What the rules say of a position's text; UsageError where it is none."""
    state = rules.parse(game, text)
    outcome = state.outcome()
    legal = {player: steps(game, state, player) for player in state.to_act()}
    return {
        "text": state.without_history().text(),
        "shown": page.shown(game, state),
        "to_act": [state.COLOURS[player] for player in state.to_act()],
        "over": outcome[1] if outcome else "",
        "actions": sum(map(len, legal.values())),
    }
