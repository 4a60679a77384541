"""Makes the README's pictures from games that are played for them: `python -m tests.long.screenshots`.

Each game's board at the turn in which most happens, one page as it is in a wide window, and one as it
is on a telephone in the dark.  Bounded by nodes and seeded, the games are the same every time.  The picture
of a profile is not, since time is measured for it.  With the word `lab` it makes those of the lab alone.
"""

import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from referee.__main__ import main as referee
from tests import ROOT
from tests.support.browser import KeptPage, chromium, until
from tests.support.lab import RunningLab, open_page, write_player

PICTURES = ROOT / "referee" / "view" / "pictures"
GAMES = {"expendibots": 300, "fanorona": 2000, "kalaha": 5000, "pentago": 3000, "ropasci": 10}  # nodes
WIDE, TELEPHONE = "fanorona", "ropasci"  # of which a whole page is shown

# The turn with most marks on the board, none of the last ones.
LIVELIEST = """() => {
  const marks = data.states.map((_, index) => {
    show(index);
    return document.querySelectorAll("#board :is(.gone-cross, .arrow, .gain, .five, .ring)").length;
  });
  return marks.indexOf(Math.max(...marks));
}"""


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if sys.argv[1:] == ["lab"]:
            return lab(browser, Path(folder))
        for game, nodes in GAMES.items():
            page = Path(folder) / f"{game}.html"
            words = f"play {game} {game}_agent greedy --seed 1 --nodes {nodes} -v0 --html"
            code = referee([*words.split(), str(page)])
            if code:
                return code
            turn = picture(browser, page, PICTURES / f"{game}.png", width=320, part="#board")
            if game == WIDE:
                picture(browser, page, PICTURES / "replay.png", width=860, height=480, turn=turn)
            if game == TELEPHONE:
                look = {"color_scheme": "dark", "height": 640, "turn": turn}
                picture(browser, page, PICTURES / "telephone.png", width=360, **look)
        return profile(browser, Path(folder) / "profile.html") or lab(browser, Path(folder))


def profile(browser, page):
    """A picture of the page on a turn of our Kalaha agent."""
    words = ["profile", "kalaha", "kalaha_agent", "--nodes", "20000", "--top", "6", "--html", str(page)]
    code = referee(words)
    if not code:
        opened = browser.new_page(viewport={"width": 1000, "height": 860})
        opened.goto(page.as_uri())
        opened.locator("h2", has_text="Lines by").scroll_into_view_if_needed()
        opened.evaluate("document.querySelector('h2').scrollIntoView()")
        opened.screenshot(path=PICTURES / "profile.png")
    return code


def lab(browser, folder):
    """Pictures of the lab: its first page, a recorded match with a question, a tournament on a telephone."""
    home = folder / "class"
    home.mkdir()
    write_player(home)
    (home / "other_team.py").write_text((home / "my_team" / "__init__.py").read_text())
    play = "play kalaha ./my_team kalaha_agent --nodes 2000 --seed 1 --record records -v0"
    with chdir(home):
        code = referee(play.split())
    (record,) = (home / "records").iterdir()
    os.environ["HOME"] = str(folder)  # so that the page says ~/class
    with RunningLab(home) as running:
        pages = KeptPage(browser)
        opened, _ = open_page(pages, running.address, viewport={"width": 1100, "height": 760})
        opened.screenshot(path=PICTURES / "lab.png")
        opened.goto(f"{running.address}#/record?path=records/{record.name}&turn=9")
        opened.click("button:has-text('Ask')")
        opened.wait_for_selector(".answer tbody tr >> nth=1")
        opened.wait_for_selector("text=running", state="detached")
        opened.set_viewport_size({"width": 1100, "height": 1470})
        opened.evaluate("scrollTo(0, 0)")
        opened.screenshot(path=PICTURES / "lab-match.png")
        settings = {"viewport": {"width": 390, "height": 760}, "color_scheme": "dark"}
        opened, _ = open_page(pages, running.address, **settings)
        players = "%0A".join(("./my_team", "./other_team.py", "kalaha_agent", "greedy"))
        opened.goto(
            f"{running.address}#/tournaments?game=kalaha&pairs=50&nodes=2000&seed=1&players={players}"
        )
        opened.click("button.main:text-is('Start')")
        until(opened, "document.querySelector('.status').textContent.match(/running: ([6-9]|1\\d)/)")
        opened.wait_for_selector(".cards svg")
        opened.screenshot(path=PICTURES / "lab-telephone.png")
    return code


def picture(browser, page, to, width, height=640, part="", turn=None, color_scheme="light"):
    """A picture of a page or a part of it at a turn, the liveliest if none is given; which turn it was."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=color_scheme, reduced_motion="reduce"
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    turn = opened.evaluate(LIVELIEST) if turn is None else turn
    opened.evaluate("turn => show(turn)", turn)
    (opened.locator(part) if part else opened).screenshot(path=to)
    context.close()
    return turn


if __name__ == "__main__":
    sys.exit(main())
