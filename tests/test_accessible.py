"""Every kind of page as axe-core sees it, wide and narrow, in light and dark: nothing serious is found.

In the suite each page of the lab has one of the two looks, in turn: they have one style sheet.
"""

import pytest

from referee.__main__ import main
from referee.human.live import Live
from tests.support.axe import serious
from tests.support.browser import WebGame, until
from tests.support.lab import RunningLab, go, open_page, write_player
from tests.support.samples import few

LOOKS = {  # by name, width, height and colours
    "wide and light": (1280, 900, "light"),
    "narrow and dark": (390, 800, "dark"),
}


def found_in(page, load=False, looks=tuple(LOOKS)):
    """What is seriously wrong with the page in each look; it may be loaded anew for the second."""
    found = {}
    for number, look in enumerate(looks):
        width, height, colours = LOOKS[look]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        if load and number:
            page.reload()
            page.wait_for_selector("h1")
        if wrong := serious(page):
            found[look] = wrong
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with one of everything, and pages made of it."""
    home = tmp_path_factory.mktemp("pages")
    write_player(home)
    commands = [
        "play kalaha ./my_team kalaha_agent --nodes 300 --seed 1 --record records --html replay.html -v0",
        "tournament kalaha random greedy --pairs 1 --jobs 1 --journal j.jsonl --report report.html --json",
        "profile kalaha ./my_team --samples 1 --save profile.json --html profile.html --json",
        "check kalaha ./my_team --only class --stream --save checks/kalaha-my_team.json",
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for words in commands:
            assert main(words.split()) == 0
    (record,) = (home / "records").iterdir()
    record.rename(home / "records" / "game.txt")
    return home


@pytest.fixture(scope="module")
def lab(folder):
    with RunningLab(folder) as running:
        yield running


@pytest.mark.parametrize("page", ["replay", "report", "profile"])
def test_pages_in_files(page, folder, kept_page):
    opened = kept_page.lend()
    opened.goto((folder / f"{page}.html").as_uri())
    assert found_in(opened, load=True) == {}


PLACES = [
    "",
    "play?game=fanorona",
    "record?path=records/game.txt&turn=3",
    "journal?path=j.jsonl",
    "tournaments",
    "profile?path=profile.json",
    "check?game=kalaha&agent=./my_team",
    "nothing",
]


def test_pages_of_the_lab(lab, kept_page):
    page, _ = open_page(kept_page, lab.address)
    for number, where in enumerate(PLACES):
        go(page, where)
        looks = few([list(LOOKS)[number % 2]], LOOKS)
        assert found_in(page, load=True, looks=looks) == {}, where


def test_a_match_under_way_in_the_lab(lab, kept_page):
    page, _ = open_page(kept_page, f"{lab.address}#/play?game=kalaha&first=random&second=greedy")
    page.check("[name=paused]")
    page.click("button.main:text-is('Start')")
    until(page, "document.querySelector('.status')?.textContent === 'Paused.'")
    page.click("button:text-is('take over random (A)')")
    page.click("button:text-is('step')")
    page.wait_for_selector("svg .able")
    assert found_in(page) == {}
    page.click("button:text-is('stop')")
    page.wait_for_selector("text=play again")
    assert found_in(page) == {}


def test_a_humans_page(kept_page):
    with WebGame("kalaha", "human", "random") as played:
        page = kept_page.lend()
        page.goto(played.address)
        until(page, "document.getElementById('status').textContent.startsWith('Your turn')")
        assert found_in(page) == {}


def test_a_running_tournaments_page(kept_page):
    with Live("a tournament", "kalaha:4x3", 0) as live:
        live.page.draw("<h1>kalaha: round-robin of 2 players</h1><p>one pair</p>")
        live.page.moved("a", {"title": "a", "position": "A 3 3 3 3 0 3 3 3 3 0", "text": "a board"})
        page = kept_page.lend()
        page.goto(live.address)
        until(page, "document.querySelector('#boards svg')")
        assert found_in(page) == {}
