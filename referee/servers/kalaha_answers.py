"""Answers a Kalah server's requests for moves, one after the other, with a player in a process of its own."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.isolation.process import Fault
from referee.players.names import Spec
from referee.rules import Limits
from referee.rules.kalaha import A, State
from referee.servers.kalaha_games import FollowedGame, FollowedGames
from referee.servers.reserve import Reserve
from referee.servers.timed_process import SENT_PLAIN, Late, TimedProcess

UNHURRIED = 30.0  # seconds for what no clock of the server runs for
SETTLING = 0.01  # seconds before an answer, and before the next: the server may drop what comes too early
SAME = 0.02, 0.2  # seconds by which a limit may be shorter or longer than the one the player was told
MOST_FAILURES = 5  # in a row; then the player is not asked any more
GRACE = 0.05  # seconds that a late player has to end its thoughts; then the reserve takes its place
LEAST = 0.05  # seconds: with less than this the player is not asked


@dataclass
class Request:
    """A position that wants a move, until the server says stop."""

    id: int
    state: State  # we are A, and to move
    arrived: float
    deadline: float  # when the player should have answered, and when its time is up
    latest: float
    say: Callable[[int, str], object]
    stopped: bool = False
    best: int | None = None
    answered: bool = False
    _process: TimedProcess | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, process: TimedProcess) -> bool:
        """The process thinks about it from now on; False if nobody wants to know any more."""
        with self._lock:
            if not self.stopped:
                self._process = process
                process.allow(self.latest - time.monotonic(), GRACE)
            return not self.stopped

    def end(self) -> None:
        """It does not think about it any more."""
        with self._lock:
            self._process = None

    def stop(self) -> None:
        """No answer is wanted any more; called from another thread."""
        with self._lock:
            self.stopped = True
            if self._process:
                self._process.allow(-1.0)

    def better(self, pond: int) -> None:
        """Send the best answer so far, if it is another one than before, and one at all."""
        if pond != self.best and type(pond) is int and pond in self.state.actions(A):
            self._send(f"move {pond}")
            self.best = pond

    def final(self, pond: int) -> None:
        """Send the answer, send it again, since the server drops what comes too early, and yield."""
        self.better(pond)
        self.answered = True
        self._send(f"move {pond}", 2 * SETTLING)
        self._send("yield")

    def _send(self, text: str, wait: float = SETTLING) -> None:
        time.sleep(max(0.0, self.arrived + wait - time.monotonic()))
        if not self.stopped:
            self.say(self.id, text)


class Answerer:
    """One player's process.  `answer` is for one thread, `close` for it or when it has ended."""

    _process: TimedProcess  # from `start` on

    def __init__(
        self,
        spec: Spec,
        process: TimedProcess | None,
        games: FollowedGames,
        note: Callable[[str], None],
        reserve: Reserve,
    ) -> None:
        self.spec = spec
        self._reserve = reserve
        self.faults = 0
        self._is_started = process is not None
        if process:
            self._process = process
        self._games = games
        self._note = note
        self._can_be_set_up = False
        self._seconds = 0.0  # the limit that the player was told
        self._followed: FollowedGame | None = None  # that the player was told
        self._told = 0  # plies of it
        self._failures = 0
        self._is_behind = False  # it still thinks about a request that is over
        self._warned = False
        self._has_turned = False  # its ponds into plain ints: that is said once

    def prepare(self, seconds: float) -> None:
        """Make the player and see whether it can be set up, while no clock runs."""
        self._seconds = seconds
        start = State(A, ((1, 1), (1, 1)), (0, 0))
        try:
            self._process.allow(UNHURRIED)
            self._construct(A, "")
            self._process.set_up(start.text())
            self._can_be_set_up = True
        except Fault as fault:
            self._can_be_set_up = False
            why = fault.message if fault.call == "set_up" else fault
            self._note(f"{self.spec.name} cannot be set up ({why}); it is told games from their start")
            self._renew()

    def another(self) -> "Answerer":
        """Another answerer for the same player, whose process is yet to be started."""
        anew = Answerer(self.spec, None, self._games, self._note, self._reserve)
        anew._can_be_set_up, anew._seconds = self._can_be_set_up, self._seconds
        return anew

    def start(self) -> None:
        """Start the process, unless it is there."""
        if not self._is_started:
            self._renew()

    def answer(self, request: Request) -> tuple[int, float]:
        """Answer the request; the pond, and how many seconds it took."""
        legal = request.state.actions(A)
        followed = self._games.find(request.state)
        pond = legal[0]
        if len(legal) > 1 and any(request.state.ponds[1]):
            pond = self._ask(request, followed) or request.best or pond
        seconds = time.monotonic() - request.arrived
        self._games.answered(followed, pond, seconds, self._process.megabytes)
        request.final(pond)
        if self._is_behind:
            self._catch_up()
        return pond, seconds

    def close(self) -> None:
        if self._is_started:
            self._process.close()

    def _ask(self, request: Request, followed: FollowedGame) -> int | None:
        """The player's answer; None where it has none, is stopped, or makes a mistake."""
        left = request.deadline - time.monotonic()
        if left < LEAST or self._failures >= MOST_FAILURES:
            return None
        try:
            if not request.begin(self._process) or not self._set_up(request.state, followed, left):
                return None
            self._process.listener = request.better
            pond = self._process.action()
            if type(pond) is not int or pond not in request.state.actions(A):
                raise Fault("illegal action", "action", f"{pond!r} is not among {request.state.actions(A)}")
            self._failures = 0
            if self._process.turned and not self._has_turned:
                self._has_turned = True
                self._note(f"{self.spec.name} returned {self._process.turned}: {SENT_PLAIN}")
            return pond
        except Late:
            request.end()
            self._is_behind = True
            self._failed(request, "out of time")
        except Fault as fault:
            request.end()
            if not request.stopped:
                self._failed(request, str(fault))
            self._renew()
        finally:
            request.end()
        return None

    def _failed(self, request: Request, why: str) -> None:
        self.faults += 1
        self._failures += 1
        self._note(f"request {request.id}: {self.spec.name}: {why}; the best so far is played")

    def _catch_up(self) -> None:
        """Let it end its thoughts; a player that was told a game then has to be made anew."""
        self._is_behind = False
        self._process.listener = None
        try:
            self._process.catch_up(GRACE)
            self._followed = None
        except Fault:  # it was said already that it is late
            self._renew()

    def _set_up(self, state: State, followed: FollowedGame, seconds: float) -> bool:
        """Bring the player to the position; False where there is no way."""
        if not -SAME[0] < seconds - self._seconds < SAME[1]:
            self._seconds, self._followed = seconds, None
            if self._can_be_set_up:
                self._construct(A, "")
        if self._can_be_set_up:
            self._process.set_up(state.text())
            return True
        if not followed.told_from_start:
            if not self._warned:
                self._note(
                    f"{self.spec.name} is asked for positions that no game from the start has brought; for "
                    "these it needs a method set_up(line), as kalaha_agent has; the first pond is played"
                )
            self._warned = True
            return False
        if self._followed is not followed:
            self._construct(followed.us, followed.game.partition(":")[2], followed.game)
            self._followed, self._told = followed, 0
        for player, pond in followed.plies[self._told :]:
            self._process.update(State.COLOURS[player], pond)
            self._told += 1
        return True

    def _construct(self, player: int, variant: str, game: str = "kalaha") -> None:
        limits = Limits(action=self._seconds, first=self._seconds).keywords()
        offered = {"variant": variant, "seconds": self._seconds, **limits}
        if self.spec.is_told_the_game:
            offered.update(game=game)
        self._process.construct(State.COLOURS[player], **offered)

    def _renew(self) -> None:
        """The process that was kept ready in the place of one that is dead."""
        self.close()
        self._followed = None
        self._process, self._is_started = self._reserve.take(), True
        try:
            self._process.allow(UNHURRIED)
            if self._can_be_set_up:
                self._construct(A, "")
        except Fault as fault:
            self._note(f"{self.spec.name}: {fault}")
        self._reserve.prepare()
