"""A tournament's report: what each format shows, from results that nobody played, at any width of a page."""

import re
from itertools import combinations

import pytest

from referee.match.statistics import Sprt
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS, Swiss
from referee.tournament.sequential import SequentialTest
from referee.tournament.standings import Standings
from referee.view import report, report_games
from referee.view.shell import document
from tests.referee.tournament.test_tournament import HEADER, Reader, fake_pair
from tests.support.samples import few

WORDS = {"busy": None}


def standings(kind, players, pairs=1, winner=lambda slot: 1, sprt=None, unfinished=0, **more):
    """Of a tournament in which `winner` says who wins the pairs; the last so many are still to be played."""
    names = [f"a player with quite a long name, number {index}" for index in range(players)]
    results, entries = Results(names), []
    schedule = FORMATS[kind](players, pairs, results, **more)
    for slots in schedule.rounds():
        wanted = list(slots)
        for slot in wanted[: len(wanted) - unfinished]:
            entries.append(fake_pair(slot, winner(slot), name=str(len(entries))))
            results.add(entries[-1])
        if unfinished:
            break
    test = SequentialTest(Sprt(*sprt)) if sprt else None
    if test:
        test.update(results.meetings[0, 1])
    described = [{**HEADER["players"][0], "player": name} for name in names]
    header = {**HEADER, "format": kind, "players": described}
    return Standings(header, results, schedule, test, lambda: iter(entries))


def words(one):
    page = report.Page({**one.summary(), **WORDS}, one)
    return " ".join(" ".join(Reader(report.body(page)).words).split())


def test_a_knockout_is_a_bracket_in_which_the_winners_are_bold():
    one = standings("knockout", 5)
    drawn = report.rounds.bracket(one)
    assert [title in drawn for title in ("quarter-finals", "semi-finals", "final")] == [True] * 3
    assert drawn.count("nobody to meet") == 3
    final = drawn[drawn.rindex('class="meeting"') :]
    assert re.findall(r"<b>.*?number (\d)</b>", final) == ["4"]


def test_of_two_who_are_level_to_the_end_the_better_seed_is_bold_and_before_the_end_nobody():
    level = standings("knockout", 2, pairs=2, winner=lambda slot: None)
    assert re.findall(r"<b>.*?number (\d)</b>", report.rounds.bracket(level)) == ["0"]
    begun = standings("knockout", 2, pairs=2, unfinished=1)
    assert "<b>" not in report.rounds.bracket(begun)


def test_a_swiss_tournament_is_shown_round_by_round_with_its_tie_breaks():
    one = standings("swiss", 5, rounds=3)
    text = words(one)
    assert all(part in text for part in ("Round 1", "Round 3", "bye", "Buchholz"))


def test_equal_points_are_ordered_by_buchholz_and_then_by_what_they_got_against_each_other():
    results = Results(["a", "b", "c", "d"])
    schedule = Swiss(4, 1, results, 2)
    won = {(0, 1): 0, (2, 3): 1, (0, 3): 1, (1, 2): 0}
    for slots in schedule.rounds():
        for slot in slots:
            results.add(fake_pair(slot, won[slot[:2]]))
    # d 4, a 2 (met b 2 and d 4), b 2 (met a 2 and c 0), c 0
    assert [schedule.buchholz(index) for index in range(4)] == [6, 2, 6, 2]
    assert schedule.order() == [3, 0, 1, 2]


def test_the_course_of_a_sequential_test_is_drawn_between_its_bounds():
    one = standings("round-robin", 2, pairs=6, sprt=(0, 50), winner=lambda slot: slot.number % 2)
    course = one.llr_course()
    assert [pairs for pairs, _ in course] == [1, 2, 3, 4, 5, 6] and course[-1][1] == one.test.llr
    drawn = report.sprt(report.Page({**one.summary(), **WORDS}, one))
    assert "6 pairs" in drawn and drawn.count("<polyline") >= 5


def test_what_a_report_says_of_its_run_is_there():
    one = standings("round-robin", 3)
    one.header["about"] = {
        "date": "2026-11-19",
        "command": "referee tournament ...",
        "referee": "0.1.0",
        "python": "3.11",
        "system": "Linux",
        "machine": "2 cores",
    }
    text = words(one)
    for part in (
        "2026-11-19",
        "referee tournament ...",
        "referee 0.1.0",
        "2 cores",
        "oneone",
        "draw is half a point",
    ):
        assert part in text


def report_of(one, path):
    report.write(path, report.Page({**one.summary(), **WORDS}, one))
    return path.as_uri()


def test_games_say_who_won_as_what_and_are_sorted_and_filtered(kept_page, tmp_path):
    one = standings("round-robin", 3, winner=lambda slot: {1: 0, 2: 1}[slot.second])
    page = kept_page.lend()
    page.goto(report_of(one, tmp_path / "r.html"))
    shown = page.locator(".game summary").all_inner_texts
    assert len(shown()) == 6 and "number 0 wins as A" in shown()[0] and "number 2 wins as B" in shown()[2]
    page.select_option("#player", "2")
    assert len(shown()) == 4 and page.inner_text("#count") == "4 games"
    page.select_option("#player", "")
    page.select_option("#ending", "0")
    assert len(shown()) == 6
    page.fill("#least", "1")
    assert len(shown()) == 0 and page.inner_text("#count") == "0 games"
    page.fill("#least", "0")
    page.fill("#most", "0")
    assert len(shown()) == 6
    page.select_option("#order", "player")
    assert [text.partition(" ")[0] for text in shown()] == ["1", "2", "3", "4", "5", "6"]
    page.locator(".game summary").first.click()
    page.locator(".game").first.get_by_text("referee replay JOURNAL --pair 0").wait_for()  # the pair's id
    page.get_by_text("turn by turn").click()
    page.get_by_text("Next game").click()
    assert page.url.endswith("r_games/002.html")


def test_ten_thousand_games_are_all_listed_and_only_the_first_have_pages(kept_page, tmp_path, monkeypatch):
    monkeypatch.setattr(report_games, "PAGES", 4)
    one = standings("round-robin", 2, pairs=5000, winner=lambda slot: slot.number % 2)
    page = kept_page.lend()
    page.goto(report_of(one, tmp_path / "r.html"))
    assert len(list((tmp_path / "r_games").iterdir())) == 4
    assert page.inner_text("#count") == "10000 games" and page.locator(".game").count() == 100
    page.get_by_text("more", exact=True).click()
    assert page.locator(".game").count() == 200
    page.locator(".game summary").nth(199).click()
    assert page.inner_text(".game:last-child code") == "referee replay JOURNAL --pair 100 --html game.html"
    assert (tmp_path / "r.html").stat().st_size < 500_000


LOOKS = [(1280, "light"), (900, "dark"), (390, "light")]
OTHERS = [(1280, "dark"), (900, "light"), (390, "dark")]
HIDDEN = """() => [document.documentElement, ...document.querySelectorAll(".wide, td, pre, .meeting")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The pages of four tournaments, of each format one."""
    paths = []
    for kind, players in (("round-robin", 30), ("swiss", 9), ("knockout", 8), ("gauntlet", 3)):
        one = standings(kind, players)
        paths.append(tmp_path_factory.mktemp("reports") / f"{kind} of {players}.html")
        body = report.body(report.Page({**one.summary(), **WORDS}, one))
        paths[-1].write_text(document("report", body, report.STYLE))
    return paths


@pytest.mark.parametrize("width, scheme", [*LOOKS, *few([], OTHERS)])
def test_nothing_of_a_report_is_cut_off_whatever_the_format_and_the_number_of_players(
    width, scheme, reports, kept_page
):
    page = kept_page.lend(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for path in reports:
        page.goto(path.as_uri())
        assert page.evaluate(HIDDEN) == [], path.stem


def test_all_pairings_of_thirty_players_are_there():
    one = standings("round-robin", 30)
    assert len(one.summary()["pairings"]) == len(list(combinations(range(30), 2)))
