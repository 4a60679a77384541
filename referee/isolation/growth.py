"""How much the memory of a player has grown since it was about to be imported, with all that is kept for it.

What it may have is judged in process.py; this adds up what memory.py and opened.py tell, and a control group.
"""

from collections.abc import Collection

from referee.isolation import memory, opened
from referee.isolation.cgroup import Group
from referee.isolation.system_v import Made

OPENED = (
    0.001  # CPU seconds in which it can fill little of what it has open; confined it has no large files there
)
MAPPED = 0.05  # CPU seconds between two looks at what takes long: its address space


class Growth:
    """Of a player and its helpers since this was made, as far as anybody has looked: the largest counts."""

    def __init__(self, player: int, threads: int, cpu: float, group: Group | None, made: Made | None):
        """`threads` and `cpu` are what all its processes have, and have used, by now.

        `made` is None for one that is confined.
        """
        self._opened_every = OPENED if made else MAPPED
        self.megabytes = 0.0
        self.space = 0.0  # the same of its address space
        self.headless = False  # its first thread has ended while others go on
        self._player = player
        self._group = group
        self._made = made
        self._threads = threads
        self._descriptors = opened.count(player)
        self._opened = opened.kept(player)
        self._opened_at = cpu
        self._pieces = memory.mappings(player)
        self._pieces_at = cpu
        sizes, _ = memory.status(player)
        self.base = sizes.get("VmHWM", 0), sizes.get("VmPeak", 0)  # kilobytes
        self._beside = memory.beside(sizes) + self._pieces
        self._shared = memory.shared(player) if made else 0  # with what it was forked from
        self._most_added = 0  # by helpers, as far as that was certain
        self._in_group = group.kilobytes() if group else 0

    def look(self, told: bytes, helpers: Collection[int], threads: int, cpu: float) -> None:
        """Measure; `told` is what the player's /proc/PID/status says, and the rest as when this was made."""
        sizes, self.headless = memory.status(self._player, told)
        if not sizes:  # it has ended
            return
        resident, space = self.base
        now = sizes["VmRSS"] - resident
        if helpers:
            now += self._added(helpers)
        now += memory.threads(threads - self._threads)
        now += memory.beside(sizes) + self._pieces_kept(helpers, cpu) - self._beside
        if cpu - self._opened_at >= self._opened_every or helpers or self._has_opened():
            self._opened_at = cpu
            now += self._kept(helpers) - self._opened
        if self._group:
            now = max(now, self._group.kilobytes() - self._in_group)
        # The player can lower its own mark: what was seen once stays.
        self.megabytes = max(self.megabytes, (sizes.get("VmHWM", 0) - resident) / 1024, now / 1024)
        self.space = max(self.space, (sizes.get("VmPeak", 0) - space) / 1024)

    def _added(self, helpers: Collection[int]) -> int:
        """Kilobytes that helpers have besides what is the player's as well.

        Who ends while they are looked at leaves his share to the others, where it is found once more: what is
        more than before is looked at again.
        """
        added = self._looked_at(helpers)
        if added > self._most_added:
            added = min(added, self._looked_at(helpers))
            self._most_added = max(self._most_added, added)
        return added

    def _looked_at(self, helpers: Collection[int]) -> int:
        before = memory.shared(self._player)
        theirs = memory.helpers(self._player, helpers)
        common = max(before, memory.shared(self._player)) - self._shared
        return theirs - min(max(0, common), theirs)

    def _kept(self, helpers: Collection[int]) -> int:
        """Kilobytes in what everybody has open and has made."""
        if not self._made:
            return opened.kept(self._player)
        family = {self._player, *helpers}
        return opened.kept(self._player, helpers, self._made.segments(family)) + self._made.queued(family)

    def _has_opened(self) -> bool:
        """Whether it has more open or less; it may also have exchanged some for others."""
        return self._descriptors is None or opened.count(self._player) != self._descriptors

    def _pieces_kept(self, helpers: Collection[int], cpu: float) -> int:
        """Kilobytes for the pieces of everybody's address space."""
        if cpu - self._pieces_at >= MAPPED:
            self._pieces_at = cpu
            self._pieces = sum(map(memory.mappings, (self._player, *helpers)))
        return self._pieces
