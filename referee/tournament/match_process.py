"""The process that plays pairs of games, one after another.

`main` reads a pair, a line of JSON, plays it, and answers with lines of JSON: one a game, then one with what
playing it cost, or one that says why it could not be played.  Then it waits for the next.  It ends when its
input closes, all that it has started before it; and when nobody has sent a pair for a while.
"""

import io
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread, main_thread
from typing import Any

from referee import RefereeTrouble, UsageError
from referee.isolation import levels
from referee.isolation.process import CannotImport
from referee.match import record
from referee.match.loop import Match, Turn, Watcher
from referee.match.planned import PlannedGame, record_header, record_name
from referee.players import files
from referee.tournament.plan import Pair, from_plain
from referee.tournament.played import PlayedGame

SHOWING = 0.3  # seconds between two boards of a game that somebody watches
ENDING = 10.0  # seconds for players and launchers to end, before this process ends without waiting for them
IDLE = 60.0  # seconds without a pair, after which it ends: on a worker nobody may want another


class LiveBoard(Watcher):
    """Shows boards to who looks on, now and then; between two turns, while players are stopped."""

    def __init__(self) -> None:
        self._last = -SHOWING

    def begin(self, match: Match) -> None:
        self._show(match)

    def turn(self, match: Match, turn: Turn) -> None:
        self._show(match)

    def _show(self, match: Match) -> None:
        if time.monotonic() - self._last < SHOWING:
            return
        self._last = time.monotonic()
        board = {
            "title": f"{match.title(0)} against {match.title(1)}, turn {match.number}",
            "position": match.state.without_history().text(),
            "text": match.state.draw(unicode=True),
        }
        print(json.dumps({"board": board}), flush=True)


def play(
    pair: Pair, must_import: bool, keep_records: bool, is_watched: bool = False
) -> Iterator[dict[str, Any]]:
    """Play the two games; each as the journal has it, with the text of its record where that is kept.

    RefereeTrouble where the players' files are not those that the pair was made for and, with
    `must_import`, where one does not import.
    """
    for entrant in pair.entrants:
        if files.digest(files.bundle(entrant.spec)) != entrant.files:
            raise RefereeTrouble(
                f"the files of {entrant.spec.name} have changed since the tournament began; "
                "start it again with another journal"
            )
    for planned in pair.games():
        kept = io.StringIO()
        watchers: list[Watcher] = [_board()] if is_watched else []
        if keep_records:
            watchers.append(_writer(planned, kept))
        result = planned.play(watchers, import_or_raise=must_import)
        game = PlayedGame.of(planned, result).plain()
        if keep_records:
            i, j = (index + 1 for index in pair.indices)
            game["record"] = {"name": f"{i}-{j}-{record_name(planned)}", "text": kept.getvalue()}
        yield game


@cache
def _board() -> LiveBoard:
    """The one of this process: of games that follow each other quickly not each is shown."""
    return LiveBoard()


def _writer(planned: PlannedGame, kept: io.StringIO) -> record.Writer:
    return record.Writer(lambda: kept, record_header(planned))


def answer(plain: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is answered to a pair: its games and what they cost, or why they could not be played."""
    before = time.process_time()
    try:
        if plain["isolation"] not in (one.level for one in levels.kinds()):
            raise RefereeTrouble(
                f"players cannot be isolated at the level {plain['isolation']!r} here, as the journal's "
                "games are; leave this machine out, or ask for less with --isolation"
            )
        yield from play(
            from_plain(plain), plain["must_import"], plain["keep_records"], plain.get("is_watched", False)
        )
    except CannotImport as fault:
        yield {"trouble": f"{fault.message}; install there what it needs"}
    except (RefereeTrouble, UsageError) as error:
        yield {"trouble": str(error)}
    else:
        yield {"cost": round(time.process_time() - before, 3)}


def main() -> None:
    """Play what comes until nothing does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what it was started with may ignore it
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(lines,), daemon=True).start()
    try:
        while True:
            for one in answer(json.loads(lines.get(timeout=IDLE))):
                print(json.dumps(one), flush=True)
    except Empty:
        pass
    except KeyboardInterrupt:
        sys.exit(1)


def _read(lines: SimpleQueue[bytes]) -> None:
    """Hand lines on.  Whoever wanted the pairs is gone when the input closes: nobody shall play on.

    In a thread, so that the main one can wait for players; nothing is spawned from here.
    """
    begun = b""
    while more := os.read(0, 65536):
        *whole, begun = (begun + more).split(b"\n")
        for line in whole:
            lines.put(line)
    if hasattr(signal, "pthread_kill"):
        # Players and launchers end first, which otherwise fall as zombies to whoever started this process.
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        time.sleep(ENDING)
    os._exit(1)


if __name__ == "__main__":
    main()
