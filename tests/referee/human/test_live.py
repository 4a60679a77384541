"""The live page of a tournament: who may see it, what it is told, and that it hears the end."""

import json
import threading
import urllib.error
import urllib.request

import pytest

from referee.__main__ import main
from referee.human import live
from referee.human.live import Live, LivePage
from tests.support.browser import until

BOARD = {"title": "a", "position": "A 3 3 3 3 0 3 3 3 3 0", "text": "a board"}


def asked(address):
    with urllib.request.urlopen(address, timeout=600) as answer:
        return answer.read().decode()


@pytest.fixture
def served():
    with Live("a tournament", "kalaha:4x3", 0) as one:
        yield one


def test_only_who_has_the_address_sees_the_page(served):
    assert "live.js" in asked(served.address) and "fetch(" in asked(f"{served.address}live.js")
    with pytest.raises(urllib.error.HTTPError) as refused:
        asked(served.address.rsplit("/", 2)[0] + "/guess/")
    assert refused.value.code == 403


def test_a_page_is_told_all_at_first_and_then_what_is_new(served):
    served.page.draw("<p>one pair</p>")
    first = json.loads(asked(f"{served.address}state?since=-1"))
    assert first["body"] == "<p>one pair</p>" and not first["over"]
    served.page.moved("a", BOARD)
    news = json.loads(asked(f"{served.address}state?since={first['version']}"))
    assert [(one["title"], one["shown"]) for one in news["boards"]] == [("a", BOARD["position"])]
    assert "body" not in news
    served.page.moved("a", None)
    # Loaded anew, a page is told everything again.
    again = json.loads(asked(f"{served.address}state?since=-1"))
    assert again["body"] == first["body"] and again["boards"] == []


def test_an_open_page_hears_that_it_is_over_before_the_server_goes(served):
    page = served.page
    page.draw("the end")
    version = json.loads(asked(f"{served.address}state?since=-1"))["version"]
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(asked(f"{served.address}state?since={version}")))
    waiting.start()
    page.end()
    waiting.join(600)
    assert json.loads(answers[0])["over"]


def test_where_nobody_looks_the_end_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(live, "FAREWELL", 10**6)
    LivePage("nobody", "kalaha").end()


def test_a_tournament_shows_its_standings_boards_and_faults_while_it_runs(monkeypatch, tmp_path, capsys):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "class Player:\n    def __init__(self, colour): pass\n    def action(self): return 9\n"
        "    def update(self, *news): pass\n"
    )
    seen = []

    class Seen(LivePage):
        """Keeps what a browser would have been told."""

        def draw(self, body):
            seen.append(body)
            super().draw(body)

        def moved(self, pair, board):
            seen.append(board["title"] if board else "")
            super().moved(pair, board)

    monkeypatch.setattr(live, "LivePage", Seen)
    monkeypatch.setattr(live, "DRAWING", 0)
    monkeypatch.setattr(live, "SHARE", 0)
    words = ["tournament", "kalaha:4x3", "a=random", f"b={bad}", "--pairs", "2", "--serve", "--jobs", "1"]
    assert main(words) == 1
    assert "the tournament's page is http://127.0.0.1:" in capsys.readouterr().err
    bodies = [one for one in seen if "<section>" in one]
    assert len(bodies) == 3 and "action 9 is illegal" in bodies[0] and "4 pairs" not in bodies[-1]
    assert any("a (A) against b (B), turn " in one for one in seen)


def test_the_page_survives_a_reload_and_the_end_of_the_run(served, browser):
    page = browser.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    served.page.draw("<h1>standings</h1>")
    page.goto(served.address)
    until(page, "document.getElementById('body').textContent === 'standings'")
    served.page.moved("a", BOARD)
    until(page, "document.querySelectorAll('#boards svg [data-place]').length === 10")
    page.reload()
    until(page, "document.getElementById('body').textContent === 'standings'")
    served.page.draw("<h1>at the end</h1>")
    served.page.end()
    until(page, "document.getElementById('state').textContent === 'The tournament is over.'")
    assert page.inner_text("#body") == "at the end" and wrong == []
    page.close()
