"""Writes a tournament as one page that needs no other file, light or dark, for wide windows and telephones.

Beside it, a replay page for each of the games that it lists.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from referee import rules
from referee.match import statistics
from referee.tournament.journal import ABOUT, Header
from referee.tournament.played import PlayedPair
from referee.tournament.results import Results
from referee.tournament.standings import Standings
from referee.tournament.usage import Usage, used
from referee.view import charts, report_games, rounds
from referee.view.charts import HUES, dot, line, svg, table
from referee.view.shell import document
from referee.view.shell import write as write_page
from referee.view.tables import MANY, adjudicated, against, excluded, label, with_byes

ROUNDS = {"swiss": "Round by round", "knockout": "Bracket"}
MODEL = (
    "The model: in a game, a player expects 1/(1 + 10^(d/400)) of the point, d being how much more Elo the "
    "other has, and a draw is half a point. One maximum-likelihood fit over all pairings; mean 0; errors are "
    "over pairs. Where somebody has won or lost everything, one draw more against the average is counted for "
    "each player."
)


@dataclass(frozen=True)
class Page:
    """What the page is made from: a summary with the facts of the run, and the standings."""

    summary: Mapping[str, Any]
    standings: Standings
    usage: Sequence[Usage] = ()  # by player's index, where that was added up

    @cached_property
    def results(self) -> Results:
        return self.standings.results

    @cached_property
    def order(self) -> Sequence[int]:
        """The players' indices, the best first."""
        return self.standings.order()

    @property
    def header(self) -> Header:
        return self.standings.header

    def name(self, index: int) -> str:
        return escape(label(self.results, index))


def write(path: Path, page: Page, in_one_file: bool = False) -> None:
    """Write the page and those of its games, or all in one file; UsageError where that is not possible."""
    games = report_games.Games(page.standings, path, in_one_file)
    page = replace(page, usage=used(len(page.results.players), _each(page.standings.pairs(), games.add)))
    games.write()
    write_page(path, html(page, games))


def html(page: Page, games: report_games.Games) -> str:
    """The page; links to records and to the games' pages are relative to where it will be."""
    text = body(page) + _section("Games", games.html())
    return document(title(page), text, STYLE, report_games.script(), inner=games.inner())


def _each(pairs: Iterable[PlayedPair], do: Callable[[PlayedPair], None]) -> Iterator[PlayedPair]:
    for pair in pairs:
        do(pair)
        yield pair


def title(page: Page) -> str:
    """What the tournament is."""
    return f"{page.header['game']}: {page.header['format']} of {len(page.header['players'])} players"


def body(page: Page) -> str:
    """All but the single games."""
    many = len(page.results.players) > MANY
    sections = [
        _section("Standings", standings(page)),
        _section("Faults", faults(page)),
        _section(ROUNDS.get(page.header["format"], ""), rounds.drawn(page.standings)),
        _section("Cross table", cross_table(page), is_folded=many),
        _section("Elo against the average player, with 95 % bars", elo_bars(page)),
        _section("Pairings", pairings(page), is_folded=many),
        _section("Sequential test", sprt(page)),
        _section("Time an action", usage(page, "cpu", "most_cpu", "s")),
        _section("Memory by action", usage(page, "megabytes", "most_megabytes", "MB")),
        _section("How games ended", endings(page)),
        _section("Players", players(page)),
        _section("How it was run", run(page)),
    ]
    return f"<h1>{escape(title(page))}</h1>{facts(page)}{''.join(sections)}"


def _section(heading: str, part: str, is_folded: bool = False) -> str:
    if is_folded and part:
        part = f"<details><summary>show</summary>{part}</details>"
    return f"<section><h2>{heading}</h2>{part}</section>" if part else ""


def facts(page: Page) -> str:
    """What was played and how much of it, and what the figures do not know."""
    header, summary = page.header, page.summary
    plies = header["opening"]
    opening = f"openings of {plies} random plies, or more where those were used up"
    if "openings" in header:
        opening = f"openings: {header['openings']}"
    said = [
        f"{summary['pairs']} {'pair' if summary['pairs'] == 1 else 'pairs'} of games",
        f"{_duration(page.results.seconds)} of play, adding up all pairs",
        opening if plies or "openings" in header else "no openings",
        f"seed {header['seed']}",
        f"isolation level {header['isolation']}",
    ]
    lines = [f"<p>{escape('; '.join(said))}.</p>"]
    if page.results.adjudicated:
        lines.append(f'<p class="warning">{escape(adjudicated(page.results))}.</p>')
    if repeated := page.results.repeated:
        lines.append(
            f'<p class="warning">{repeated} of {summary["games"]} games repeat one that the two had played '
            "before, move by move: the error bars count them as if they were new.</p>"
        )
    return "".join(lines)


def faults(page: Page) -> str:
    """Who was left out and why; of each player's faults of each kind how many, and the first."""
    lines = []
    for one in page.header.get(ABOUT, {}).get("left_out", ()):
        lines.append(f"{escape(one['player'])} is left out: {escape(one['reason'])}")
    for one in excluded(page.summary, page.results):
        reason = one["reason"].replace("\n", "; ")
        lines.append(f"{escape(one['player'])} is left out: {escape(reason)}")
    for (index, kind), (reason, pair) in sorted(page.results.reasons.items()):
        count = page.results.players[index].faults[kind]
        games = "1 game" if count == 1 else f"{count} games, the first"
        lines.append(f"{page.name(index)}, {kind} in {games}, in pair {escape(pair)}: {escape(reason)}")
    return "".join(f'<p class="warning">{one}</p>' for one in lines)


def run(page: Page) -> str:
    """When and where it was begun, by which command; of the run that wrote this how long it took."""
    about, summary = page.header.get(ABOUT, {}), page.summary
    lines = []
    if about:
        lines.append(
            f"Begun {about.get('date')} with referee {about.get('referee')}, Python {about.get('python')}, "
            f"on {about.get('system')} ({about.get('machine')})."
        )
    if summary["busy"] is not None:
        before = f", {summary['resumed']} pairs having been there" if summary["resumed"] else ""
        lines.append(
            f"The run that ended it took {_duration(summary['seconds'])}{before}; "
            f"the machine's cores were busy {summary['busy']:.0%} of the time."
        )
    command = f"<pre>{escape(str(about['command']))}</pre>" if "command" in about else ""
    return "".join(f"<p>{escape(one)}</p>" for one in lines) + command


# Tables


def standings(page: Page) -> str:
    """The standings, the best player first, with the limits of each."""
    rows = []
    given = with_byes(page.results, page.order, page.summary.get("totals", ()))
    for index in page.order:
        player = page.results.players[index]
        limits = page.header["players"][index]["limits"]
        figures = [player.games, player.wins, player.draws, player.losses, sum(player.faults.values())]
        points = [f"{player.points:g}", *given.get(index, ())]
        rows.append([page.name(index), *points, *figures, _limits(limits)])
    heads = ["points", *(["byes", "total"] if given else [])]
    heads = ["player", *heads, "games", "won", "drawn", "lost", "faults", "limits"]
    return table(heads, rows, stacks="few", words=["limits"])


def cross_table(page: Page) -> str:
    """The cross table: the points of each player against each other."""
    rows = []
    for rank, index in enumerate(page.order, 1):
        points = (against(page.results, index, other) for other in page.order)
        rows.append([f"{rank} {page.name(index)}", *points])
    return table(
        ["points against", *range(1, len(page.order) + 1)], rows, stacks="many" if len(rows) > MANY else "few"
    )


def pairings(page: Page) -> str:
    """The score of each two players that met, with its interval, Elo and LOS."""
    rows = []
    for one in (one for one in page.summary["pairings"] if one.get("counts", True)):
        first, second = one["indices"]
        rows.append(
            [
                f"{page.name(first)} against {page.name(second)}",
                f"{100 * one['score']:.1f} %{_interval(one['interval'], 100, '.1f')}",
                f"{one['elo']:+.1f}{_interval(one['elo_interval'])}",
                f"{one['normalised_elo']:+.1f}{_interval(one['normalised_elo_interval'])}",
                escape(statistics.likely(one["los"])),
                " ".join(map(str, one["pentanomial"])),
                f"{one['different_openings']} of {one['pairs']}",
                f"{one['different_games']} of {one['games']}",
            ]
        )
    heads = ["score", "Elo", "normalised Elo", "LOS", "pairs of 0 ½ 1 1½ 2", "openings", "different games"]
    note = (
        "with its 95 % interval below each figure, from two pairs on; "
        "LOS is the likelihood that the first is the better one; "
        "a pair is two games, so it brings the first 0, ½, 1, 1½ or 2 points"
    )
    return f'{table(["players", *heads], rows, stacks="few")}<p class="ends">{note}</p>' if rows else ""


def sprt(page: Page) -> str:
    """Where the log-likelihood ratio stands between its bounds."""
    test = page.summary.get("sprt")
    if not test:
        return ""
    decision = {"H0": "H0 is accepted", "H1": "H1 is accepted", None: "not decided"}[test["decision"]]
    low, high = test["lower"], test["upper"]
    place = 100 * (min(max(test["llr"], low), high) - low) / (high - low)
    return (
        f"<p>{test['model']} Elo {test['elo0']:g} (H0) against {test['elo1']:g} (H1): "
        f"<b>{decision}</b> after {test['pairs']} pairs.</p>"
        f'<div class="bar"><span>LLR {test["llr"]:.3f}, between {low:.3f} and {high:.3f}</span>'
        f"{svg(line([(0, 50), (100, 50)], 'axis') + dot(place, 50, 'p0'))}</div>{llr_chart(page.standings)}"
    )


def llr_chart(standings: Standings) -> str:
    """The log-likelihood ratio pair by pair, between its bounds."""
    course = standings.llr_course()
    if len(course) < 2 or standings.test is None:
        return ""
    sprt = standings.test.sprt
    values = [llr for _, llr in course]
    low, high = min(sprt.lower, *values), max(sprt.upper, *values)

    def height(value: float) -> float:
        return 98 - 96 * (value - low) / (high - low)

    last, _ = course[-1]
    points = [(100 * pairs / last, height(llr)) for pairs, llr in course]
    ends = (sprt.lower, sprt.upper)
    bounds = "".join(line([(0, height(end)), (100, height(end))], "dashed") for end in ends)
    zero = line([(0, height(0)), (100, height(0))], "axis")
    return (
        f'<figure><p class="ends"><span>H1 above {sprt.upper:.2f}</span></p>'
        f'<div class="plot">{svg(zero + bounds + line(points, "bold p0"))}</div>'
        f'<p class="ends"><span>H0 below {sprt.lower:.2f}</span><span>{last} pairs</span></p></figure>'
    )


# Charts


def elo_bars(page: Page) -> str:
    """Each player's Elo by one fit over all pairings, on one scale."""
    ranked = page.summary.get("ranking", [])
    reach = max([50.0, *(abs(one["elo"]) + (one["error"] or 0) for one in ranked)])
    rows = []
    for one in ranked:
        index, elo, error = one["index"], one["elo"], one["error"]
        ends = (elo - (error or 0), elo + (error or 0), elo)
        low, high, middle = (50 + 50 * max(-1.0, min(1.0, value / reach)) for value in ends)
        drawn = (
            line([(50, 0), (50, 100)], "axis")
            + line([(low, 50), (high, 50)], f"bold {_hue(index)}")
            + dot(middle, 50, _hue(index))
        )
        bar = "" if error is None else f" ± {error:.0f}"
        rows.append(f'<div class="bar"><span>{page.name(index)}: {elo:+.0f}{bar}</span>{svg(drawn)}</div>')
    scale = f"<span>-{reach:.0f}</span><span>0</span><span>+{reach:.0f}</span>"
    return f'{"".join(rows)}<p class="ends">{scale}</p><p class="note">{MODEL}</p>' if rows else ""


def usage(page: Page, mean: str, most: str, unit: str) -> str:
    """For each player, what its first, second, ... action took: the mean over games, and the most."""
    means, mosts, averages = {}, {}, {}
    for index in page.order if page.usage else ():
        use = page.usage[index]
        if use.games:
            means[index] = [total / games for total, games in zip(getattr(use, mean), use.games, strict=True)]
            mosts[index] = getattr(use, most)
            averages[index] = sum(getattr(use, mean)) / sum(use.games)
    if not means:
        return ""
    top = max(max(values) for values in mosts.values()) or 1
    longest = max(map(len, means.values()))
    drawn = ""
    for index in means:
        for values, weight in ((mosts[index], "faint"), (means[index], "bold")):
            points = [
                (100 * (place + 0.5) / longest, 100 - 96 * value / top) for place, value in enumerate(values)
            ]
            drawn += line(points, f"{weight} {_hue(index)}")
    legend = ""
    for index, average in averages.items():
        average, at_most = _amount(average), _amount(max(mosts[index]))
        words = f"{page.name(index)}: {average} {unit} on average, at most {at_most} {unit}"
        legend += f'<li><i class="{_hue(index)}"></i>{words}</li>'
    return (
        f'<figure><p class="ends"><span>{_amount(top)} {unit}</span></p>'
        f'<div class="plot">{svg(line([(0, 100), (100, 100)], "axis") + drawn)}</div>'
        f'<p class="ends"><span>action 1</span><span>{longest}</span></p>'
        f'<ul class="legend">{legend}</ul>'
        "<figcaption>Strong: the mean over games. Faint: the most.</figcaption></figure>"
    )


def endings(page: Page) -> str:
    """A bar for each way in which games ended, and the faults by player."""
    results = page.results
    colours = rules.start(page.header["game"]).COLOURS
    counts = [
        (f"finished, {colours[0]} won", results.seats["0"]),
        (f"finished, {colours[1]} won", results.seats["1"]),
        ("finished, drawn", results.seats["draw"]),
        *((kind, games) for kind, games in sorted(results.endings.items()) if kind != "finished"),
    ]
    rows = ""
    for place, (kind, count) in enumerate(counts):
        share = 100 * count / max(1, results.games)
        drawn = line([(0, 50), (100, 50)], "axis") + line([(0, 50), (share, 50)], f"bold p{place % HUES}")
        rows += f'<div class="bar"><span>{escape(kind)}: {count} ({share:.1f} %)</span>{svg(drawn)}</div>'
    faults = [[escape(one["player"]), one["kind"], one["games"]] for one in page.summary["faults"]]
    return rows + (table(["player at fault", "kind", "games"], faults, words=["kind"]) if faults else "")


def _hue(index: int) -> str:
    return f"p{index % HUES}" + (" dashed" if index >= HUES else "")


# Figures in words


def players(page: Page) -> str:
    """Who played: what was named, and the hash of its files."""
    rows = []
    for index in page.order:
        one = page.header["players"][index]
        arguments = "".join(f",{name}={value}" for name, value in one["arguments"])
        named = f"{one['module']}{':' + one['class'] if one['class'] else ''}{arguments}"
        rows.append([page.name(index), escape(named), f"<code>{escape(one['files'][:16])}</code>"])
    heads = ["player", "what it is", "hash of its files"]
    return table(heads, rows, stacks="few", words=heads)


def _duration(seconds: float) -> str:
    minutes, hours = seconds / 60, seconds / 3600
    if minutes < 2:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} minutes" if hours < 2 else f"{hours:.1f} hours"


def _interval(ends: Sequence[float] | None, times: float = 1, form: str = "+.1f") -> str:
    words = statistics.bar(ends, times, form).strip(" ()")
    return f"<small>{words}</small>" if words else ""


def _amount(value: float) -> str:
    return f"{value:.3g}"


def _limits(limits: Mapping[str, Any]) -> str:
    clock = "wall" if limits.get("wall") else "CPU"
    words = {
        "game": f"s of {clock} a game",
        "action": f"s of {clock} an action",
        "first": "s the first",
        "game_wall": "s of the wall",
    }
    said = [
        f"{limits[key]:g} {unit}" for key, unit in words.items() if isinstance(limits.get(key), (int, float))
    ]
    if isinstance(megabytes := limits.get("megabytes"), (int, float)):
        said.append(f"{megabytes:g} MB")
    return escape(", ".join(said + [f"{name} {value}" for name, value in limits["told"]])) or "none"


STYLE = (
    charts.STYLE
    + rounds.STYLE
    + report_games.STYLE
    + """
main { max-width: 75rem; }
.warning { border-left: 4px solid var(--p1); padding-left: .75rem; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .875rem; }
.bar { margin: .5rem 0; } .bar .chart { height: 1rem; }
.bar span { overflow-wrap: anywhere; } .bar .chart .bold { stroke-width: 5; }
details { border-bottom: 1px solid var(--rule); padding: .25rem 0; } details p { overflow-wrap: anywhere; }
summary { cursor: pointer; overflow-wrap: anywhere; }
pre { overflow-x: auto; line-height: 1.25; white-space: pre-wrap; overflow-wrap: anywhere; }
details pre { white-space: pre; }
"""
)
