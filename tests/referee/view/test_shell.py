"""What every page has in common: its policy, and that it can be read on a wide window and on a telephone."""

import re
from html.parser import HTMLParser

import pytest

from referee.__main__ import main
from referee.human import page_files
from referee.human.server import HEADERS
from referee.tournament.results import Meeting, Results
from referee.tournament.schedule import RoundRobin
from referee.tournament.standings import Standings
from referee.view import report, report_games
from referee.view.shell import document
from tests import ROOT

NAMES = ["kalaha_agent", "../submissions/the-teams-of-2026/a_rather_long_name_of_a_package,depth=4,book=None"]


@pytest.fixture(scope="module")
def every_page(tmp_path_factory):
    """A page of each kind that is written to a file: by their names the paths."""
    folder = tmp_path_factory.mktemp("pages")
    words = ["kalaha:2x2", "random", "greedy"]
    assert main(["tournament", *words, "--pairs", "2", "--report", str(folder / "report.html")]) == 0
    assert main(["play", *words, "--games", "2", "-v0", "--html", str(folder / "list.html")]) == 0
    profile = ["profile", "kalaha", str(ROOT / "tests" / "players" / "handin" / "kalaha.py")]
    assert main([*profile, "--samples", "1", "--html", str(folder / "profile.html")]) == 0
    games = report_games.folder(folder / "report.html")
    return {path.stem: path for path in [*folder.glob("*.html"), games / "001.html"]}


class Elements(HTMLParser):
    """The elements' attributes, by tag."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def policy_of(text):
    (policy,) = (
        attributes["content"]
        for tag, attributes in Elements(text).found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    return policy


def test_every_page_in_a_file_may_load_nothing_and_run_its_own_script_alone(every_page):
    assert {"report", "001", "list", "list-001", "profile"} <= set(every_page)
    for name, path in every_page.items():
        text = path.read_text()
        policy = policy_of(text)
        assert "default-src 'none'" in policy and "base-uri 'none'" in policy, name
        assert "unsafe" not in policy and "http" not in policy and "*" not in policy, name
        assert ("script-src" in policy) == ("<script>" in text), name
        for tag, attributes in Elements(text).found:
            assert not any(one == "style" or one.startswith("on") for one in attributes), (name, tag)


def test_the_page_of_a_human_has_the_shell_and_the_policy_of_its_server():
    kind, text = page_files.of_game("kalaha")[""]
    assert kind == "text/html" and text.startswith("<!doctype html>")
    assert HEADERS["Content-Security-Policy"].startswith(policy_of(text))
    assert re.findall(r'(?:href|src)="([^"]+)"', text) == [
        "data:,",
        "board.css",
        "page.css",
        "board.js",
        "page.js",
    ]


def test_no_page_asks_for_what_its_policy_forbids(every_page, kept_page):
    said, asked = [], []
    on = {
        "console": lambda message: said.append(message.text),
        "request": lambda request: asked.append(request.url),
    }
    page = kept_page.lend(on)
    for name, path in every_page.items():
        page.goto(path.as_uri())
        assert said == [] and asked == [path.as_uri()], name
        asked.clear()


def pairings():
    """The table of pairings of a long tournament between players with long names."""
    results = Results([*NAMES, NAMES[1]])
    found = []
    for two, counts in (
        ((0, 1), (332, 433, 1498, 1333, 2334)),
        ((0, 2), (0, 0, 0, 0, 9000)),
        ((1, 2), (12000, 1, 0, 0, 0)),
    ):
        meeting = Meeting(pairs=list(counts), games=[1, 2, 2 * sum(counts) - 3])
        found.append({"players": [NAMES[0]] * 2, "indices": two, **meeting.described()})
        found[-1].update(different_openings=sum(counts), different_games=2 * sum(counts))
    return report.pairings(
        report.Page({"pairings": found}, Standings({}, results, RoundRobin(3, 1, results), None, list))
    )


@pytest.mark.parametrize("width", [1280, 900, 390, 320])
def test_the_pairings_of_a_report_can_be_read_whole_at_any_width(width, kept_page, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(document("pairings", pairings(), report.STYLE))
    page = kept_page.lend(viewport={"width": width, "height": 800})
    page.goto(path.as_uri())
    hidden = """() => [document.documentElement, ...document.querySelectorAll(".wide, td")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 200))"""
    assert page.evaluate(hidden) == []
    widths = """() => [...document.querySelectorAll("td:first-child")]
        .map((one) => one.getBoundingClientRect().width)"""
    assert min(page.evaluate(widths)) >= 160  # the names are not folded a syllable a line
