"""What the courses say beyond a game's rules and limits; a game that is not named here has none of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Course:
    """One course's own conditions."""

    megabytes: float | None = None  # that a submission may have
    forwards: bool = False  # hands a player's very objects on: also 4.0 for 4, which equals a legal action
    reads_late: bool = True  # files may be read after the first turn
    update: tuple[str, ...] = ()  # names by which `update` may be called, besides by position


USUAL = Course()
COURSES = {
    "expendibots": Course(forwards=True),
    "ropasci": Course(forwards=True, update=("opponent_action", "player_action")),
    "pentago": Course(megabytes=10, reads_late=False),
}
OLDEST = (3, 6)  # CPython on the courses' machines
LIBRARIES = {"numpy"}  # besides the standard library
# Modules that a course's machine has itself, or that stand beside the players there.
TAKEN = {
    "referee",
    "battleground",
    "numpy",
    "scipy",
    "aima",
    "aima3",
    "distutils",
    "imp",
    "asyncore",
    "asynchat",
}


def course(game: str) -> Course:
    """The course of a game, or of a variant of it."""
    return COURSES.get(game.partition(":")[0], USUAL)
