"""A hint: what our agent for the game would play, asked in a process of its own with a small budget."""

from referee import UsageError
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault, PlayerProcess
from referee.match.loop import Match, follow
from referee.players import names
from referee.rules import Action

NODES = 2000  # told to the agent: a second of thinking or less
SECONDS = 10.0  # of CPU, for all of it; only an agent that does not count nodes comes near


class NoHint(Exception):
    """There is no hint, and why."""


def hint(game: str, match: Match, player: int, isolation: str | None = None) -> Action:
    """What the agent would choose for the player in the state of the match; NoHint if it cannot say.

    `isolation` is the level that the players of the match have.
    """
    name, _, variant = game.partition(":")
    try:
        spec = names.resolve(str(names.ROOT / f"{name}_agent"))
    except UsageError:
        raise NoHint(f"there is no agent for {name} to ask") from None
    allowance = Allowance(game=SECONDS, told=(("nodes", NODES),), isolation=isolation)
    with PlayerProcess(spec, match.state.COLOURS[player], variant, allowance) as agent:
        try:
            agent.start()
            agent.construct()
            follow(match.start, match.plies, agent, player)
            action = agent.action()
        except Fault as fault:
            raise NoHint(f"the agent could not say: {fault}") from None
    if action not in match.state.actions(player):
        raise NoHint(f"the agent would play {action!r}, which is not legal")
    return action
