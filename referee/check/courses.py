"""What is installed on the courses' machines; what differs from game to game is in rules.Course."""

from referee import rules

OLDEST = (3, 6)  # CPython on the courses' machines
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


def course(game: str) -> rules.Course:
    """The course of a game, or of a variant of it."""
    return rules.start(game).COURSE
