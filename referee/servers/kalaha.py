"""Plays Kalaha on a Kalah Game Protocol 1.0 server, which sends positions and wants a move for each.

    s: 2 kgp 1 0 1                       c: 1 set info:name "my_team"     c: 3 mode freeplay
    s: 6 ping                            c: 5@6 pong                      also while we think
    s: 8 state <6,0,0,6,6,6,6,6,6,6,6,6,6,6,6>
                                         c: 7@8 move 3                    may be improved: after each
                                         c: 9@8 move 1                    iteration of the search
                                         c: 11@8 yield                    the last one is final
    s: 10@8 stop                         s: goodbye

This thread reads and answers at once; each position goes to a thread of its own (kalaha_answers.py).  Nobody
says what game a position belongs to, nor how games end: kalaha_games.py works that out for the records.
"""

import itertools
import queue
import sys
import threading
import time

from referee import RefereeTrouble
from referee.rules import Limits
from referee.rules.kalaha import A, State
from referee.servers import kalaha_protocol
from referee.servers.agent import Agent
from referee.servers.connection import Connection, Silent, quoted
from referee.servers.kalaha_answers import Answerer, Request
from referee.servers.kalaha_games import FollowedGames
from referee.servers.kalaha_protocol import Line
from referee.servers.server_game import Terms
from referee.servers.timed_process import TimedProcess
from referee.view.terminal import painter, shows_unicode

LIMITS = Limits(action=5.0)  # the server's, not the course's
VERSION = 1
GREETING = 20.0  # seconds for the server to say who it is, as many as it waits for us
LEAVING = 2.0  # seconds for threads that think to notice that it is over
MOST_AT_ONCE = 4  # positions that are thought about at the same time; others wait for their turn
MOST_BAD_LINES = 10  # before we give up on the server
ASKS = ("state", "stop", "problem", "goodbye")  # lines that belong to games
MOST_IDLE = 50  # other lines while there is no game, or
MOST_IDLE_A_SECOND = 2  # for each second of it, if that is more
SHARES = 20  # of a clock for a whole game, a move gets one


def play(connection: Connection, agent: Agent, terms: Terms) -> int:
    """Answer the server until it says goodbye; returns the exit code."""
    session = Session(connection, agent, terms)
    try:
        session.run()
    finally:
        session.close()
    return int(bool(session.faults))


class Session:
    """One connection to the server."""

    def __init__(self, connection: Connection, agent: Agent, terms: Terms) -> None:
        self.connection = connection
        self.terms = terms
        self.note = terms.notes
        self.games = FollowedGames(terms, "opponent")
        self.faults = 0
        self._agent = agent
        self._ids = itertools.count(1, 2)
        self._saying = threading.Lock()  # ids go out in their order
        self._open: dict[int, Request] = {}  # positions that want a move, by id
        self._waiting: queue.Queue[Request | None] = queue.Queue()
        self._answerers: list[tuple[Answerer, threading.Thread]] = []
        self._settings: dict[str, str] = {}
        self._mode = 0  # the id of our line `mode`
        self._bad_lines = 0
        self._over = False
        self._trouble: Exception | None = None  # of a thread
        self._said: set[str] = set()  # what was noted once and need not be again
        self._wanted = time.monotonic()  # when the server last asked for something
        self._idle = 0  # lines since then that ask for nothing

    # The session

    def run(self) -> None:
        """Greet, and answer what comes until it ends."""
        self._prepare(self._agent.hand_over())
        self._greet()
        while not self._over:
            line = self._line()
            if line is None:
                return
            self._look_for_life(line)
            answer = getattr(self, f"_on_{line.name}", None)
            if answer:
                answer(line)
            else:
                self._note_once(f"the server says {line.name!r}, which is not known here")

    def close(self) -> None:
        """Say goodbye, and end the player."""
        for request in list(self._open.values()):
            request.stop()
        for _ in self._answerers:
            self._waiting.put(None)
        if not self._over:
            self._over = True
            try:
                self.say(None, "goodbye")
            except RefereeTrouble:  # it is gone, so it need not be told
                pass
        for answerer, thread in self._answerers:
            if thread.ident:
                thread.join(LEAVING)
            answerer.close()
            self.faults += answerer.faults
        self.games.close()

    def say(self, ref: int | None, text: str) -> int:
        """Send a line and return its id."""
        with self._saying:
            number = next(self._ids)
            self.connection.send(f"{number}{'' if ref is None else f'@{ref}'} {text}\r\n".encode())
        return number

    def _greet(self) -> None:
        text = self.connection.line(GREETING)
        if text is None:
            raise RefereeTrouble(f"{self.connection.name} has closed the connection without a word")
        try:
            line = kalaha_protocol.parse(text)
        except ValueError:
            raise self.connection.nonsense(text, "expected a line `kgp 1 0 1`") from None
        if line.name != "kgp":
            raise self.connection.nonsense(text, "expected a line `kgp 1 0 1`")
        if line.arguments[:1] != (str(VERSION),):
            version = quoted(".".join(line.arguments))
            raise RefereeTrouble(f"{self.connection.name} speaks version {version} of the protocol, not 1")
        self.say(None, f"set info:name {kalaha_protocol.quoted(self.terms.name)}")
        if self.terms.token:
            self.say(None, f"set auth:token {kalaha_protocol.quoted(self.terms.token)}")
        self._mode = self.say(None, f"mode {self.terms.mode}")

    def _line(self) -> Line | None:
        """The next line that is one; None at the end of the session."""
        while True:
            try:
                text = self.connection.line(self.terms.patience)
            except Silent as silence:
                self._note_once(f"{silence}; still waiting (Ctrl-C leaves)")
                continue
            finally:
                if self._trouble:
                    raise self._trouble
            if text is None and self._unanswered():
                raise RefereeTrouble(f"{self.connection.name} has closed the connection in a game")
            if text is None:
                self.note(f"{self.connection.name} has closed the connection")
                self._over = True
                return None
            try:
                return kalaha_protocol.parse(text)
            except ValueError as error:
                self._bad(text, error)

    def _look_for_life(self, line: Line) -> None:
        """A server with no game for us may be silent, or see now and then whether we are there; no more."""
        if line.name in ASKS:
            self._wanted, self._idle = time.monotonic(), 0
            return
        self._idle += 1
        waited, patience = time.monotonic() - self._wanted, self.terms.patience
        if waited < patience or self._unanswered():
            return
        said = f"{self.connection.name} has asked for nothing for {patience:.0f} s"
        if self._idle > max(MOST_IDLE, MOST_IDLE_A_SECOND * waited):
            raise RefereeTrouble(f"{said}, and sent {self._idle} other lines meanwhile")
        self._note_once(f"{said}; still waiting (Ctrl-C leaves)")

    def _unanswered(self) -> list[Request]:
        return [request for request in list(self._open.values()) if not request.answered]

    def _bad(self, text: str, error: ValueError) -> None:
        """Pass over what cannot be understood, unless there is too much of it."""
        self._bad_lines += 1
        if self._bad_lines > MOST_BAD_LINES:
            raise self.connection.nonsense(text, f"{error}, and {MOST_BAD_LINES} lines before it were none")
        self.note(f"{self.connection.name} sent {quoted(text)}: {error}")

    def _note_once(self, text: str, key: str = "") -> None:
        if (key or text) not in self._said:
            self._said.add(key or text)
            self.note(text)

    # What the server says

    def _on_ping(self, line: Line) -> None:
        self.say(line.id, "pong")

    def _on_ok(self, line: Line) -> None:
        pass

    _on_pong = _on_kgp = _on_ok

    def _on_error(self, line: Line) -> None:
        said = quoted(" ".join(line.arguments))
        if line.ref == self._mode:
            raise RefereeTrouble(f"{self.connection.name} refuses the mode {self.terms.mode!r}: {said}")
        self._note_once(f"the server complains: {said}")

    def _on_goodbye(self, line: Line) -> None:
        self._over = True

    def _on_set(self, line: Line) -> None:
        if len(line.arguments) == 2:
            name, value = line.arguments
            self._settings[name] = value

    def _on_stop(self, line: Line) -> None:
        stopped = list(self._open) if line.ref is None else [line.ref]
        for number in stopped:
            request = self._open.pop(number, None)
            if request and not request.answered:
                request.stop()
                seconds = time.monotonic() - request.arrived
                advice = f"if it never waits longer than {seconds:.1f} s, say so with --time"
                self._note_once(f"the server stopped us before we had finished; {advice}", "stop")

    def _on_problem(self, line: Line) -> None:
        """Verify mode: a position and a pond of ours, counted from 0; what comes of it is asked."""
        try:
            board, place = line.arguments
            before, pond = kalaha_protocol.state(board), int(place) + 1
            if pond not in before.actions(A):
                raise ValueError(f"pond {pond - 1} cannot be played")
        except ValueError as error:
            return self._bad(" ".join(line.arguments), error)
        size = len(before.ponds[A])
        last = (pond - 1 + before.ponds[A][pond - 1]) % (2 * size + 1)  # the bank comes after the ponds
        after = kalaha_protocol.swept(before.after({A: pond}))
        self.say(line.id, f"solution {kalaha_protocol.board(after)} {'yes' if last == size else 'no'}")

    def _on_state(self, line: Line) -> None:
        """A position that wants a move."""
        try:
            (board,) = line.arguments
            state = kalaha_protocol.state(board)
            if line.id is None or not any(state.ponds[A]):
                raise ValueError("there is nothing to answer to that")
        except ValueError as error:
            return self._bad(" ".join(line.arguments), error)
        if earlier := self._open.get(line.id):
            if earlier.state == state:  # said again: its answer is on its way
                return
            earlier.stop()  # what it would answer would be taken for an answer to this one
        now = self.connection.arrived
        limit, margin = self._limit(), min(self.terms.margin, self._limit() / 4)
        request = Request(line.id, state, now, now + limit - margin, now + limit - margin / 2, self.say)
        self._open[line.id] = request
        if len(self._answerers) < min(len(self._unanswered()), MOST_AT_ONCE):
            self._add(self._answerers[0][0].another())
        self._waiting.put(request)

    def _limit(self) -> float:
        """Seconds for a move: what we were told on the command line, or less where the server says so."""
        limit = self.terms.longest
        try:
            clock = float(self._settings["time:clock"])
        except (KeyError, ValueError):
            return limit
        mode = self._settings.get("time:mode", "none")
        shares = {"relative": 1, "absolute": SHARES}.get(mode)
        return max(0.1, min(limit, clock / shares)) if shares and clock > 0 else limit

    # Threads

    def _prepare(self, process: TimedProcess) -> None:
        """The first answerer is there before the server's clock runs."""
        limit = self.terms.longest
        answerer = Answerer(self.terms.spec, process, self.games, self.note, self._agent.reserve)
        answerer.prepare(limit - min(self.terms.margin, limit / 4))
        self._add(answerer)

    def _answer(self, answerer: Answerer) -> None:
        """What a thread does: answer one request after the other."""
        try:
            answerer.start()
            while request := self._waiting.get():
                pond, seconds = answerer.answer(request)
                if self._open.get(request.id) is request:
                    del self._open[request.id]
                self._show(request.state, pond, seconds)
        except Exception as trouble:  # the thread that reads raises it again, where it is seen
            self._trouble = trouble

    def _show(self, state: State, pond: int, seconds: float) -> None:
        lines = [f"{state.text()}: {self.terms.name} plays {pond} after {seconds:.2f} s"]
        if self.terms.verbosity >= 2:
            unicode = shows_unicode(sys.stdout) if self.terms.unicode is None else self.terms.unicode
            large = self.terms.verbosity == 3
            drawn = state.draw(unicode, large, painter(sys.stdout, self.terms.colour))
            lines = ["", *(f"  {line}" for line in drawn.split("\n")), "", *lines]
        if self.terms.verbosity:
            print("\n".join(f"* {line}".rstrip() for line in lines), flush=True)

    def _add(self, answerer: Answerer) -> None:
        thread = threading.Thread(target=self._answer, args=(answerer,), daemon=True)
        self._answerers.append((answerer, thread))
        thread.start()
