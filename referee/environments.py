"""`referee.env(game)`: every game as an environment of PettingZoo, for programs that learn to play.

Games in which one player chooses at a time are AEC environments, those in which both choose at once (RoPaSci)
parallel ones.  Agents are `player_0` and `player_1`, in the order of the colours.  An observation is a
dictionary:

    observation   planes of numbers, (planes, rows, columns), as the agent sees the board: `state.PLANES` has
                  a line for each; the squares stay where they are, whoever looks
    action_mask   1 for each action that is legal now; all 0 for an agent that is not to choose

An action is a place in `env.unwrapped.actions`, the actions that can ever exist in a fixed order.  A win is a
reward of 1, a defeat -1, a draw 0, at the end of the game; an illegal action loses it.

    env = referee.env("kalaha:6x4")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import index
from random import Random
from typing import Any

import numpy

from referee import UsageError, rules
from referee.rules import Action, State

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import OrderEnforcingWrapper
except ImportError as error:
    raise UsageError(
        f"{error}; install what environments need: pip install 'board-game-referee[learn]'"
    ) from None

MODES = ("ansi", "human")
GAMES = 200  # random games in which the actions of a game are looked for that does not say what they are
OTHERS = 64  # places for those that did not come up there: the first, second, ... legal one that has none

Policy = Callable[[numpy.ndarray, numpy.ndarray], int]  # of planes and mask: the place of an action
Observation = dict[str, numpy.ndarray]


def environment(game: str, render_mode: str | None = None) -> Any:
    """The environment of a game; UsageError where there is no such game or way of rendering."""
    state = rules.start(game)
    if render_mode not in (None, *MODES):
        raise UsageError(f"there is no render mode {render_mode!r:.40}; there are {' and '.join(MODES)}")
    if len(state.to_act()) == 2:
        return AtOnce(game, render_mode)
    return OrderEnforcingWrapper(InTurns(game, render_mode))


class Spaces:
    """What both kinds of environments have in common: a state, and what agents see of it and may do."""

    def __init__(self, game: str, render_mode: str | None):
        self.game = game
        self.render_mode = render_mode
        self.state = rules.start(game)
        self.possible_agents = [f"player_{player}" for player in (0, 1)]  # in the order of COLOURS
        self.agents: list[str] = []
        self.actions, self._place, self._others = indexed(game)
        shape = numpy.array(self.state.planes(0), dtype=numpy.float32).shape
        size = len(self.actions) + self._others
        planes = spaces.Box(0.0, numpy.inf, shape, numpy.float32)
        mask = spaces.Box(0, 1, (size,), numpy.int8)
        self._observation_spaces = {
            agent: spaces.Dict({"observation": planes, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._legal: list[dict[int, Action] | None] = [None, None]

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent may see."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The places of actions."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        return self.seen(self.state, self.possible_agents.index(agent))

    def seen(self, state: State, player: int) -> Observation:
        """What a player sees of a state."""
        mask = numpy.zeros(len(self.actions) + self._others, numpy.int8)
        mask[list(self.legal(state, player))] = 1
        return {"observation": numpy.array(state.planes(player), numpy.float32), "action_mask": mask}

    def legal(self, state: State, player: int) -> dict[int, Action]:
        """The legal actions by their places."""
        had = self._legal[player]
        if state is self.state and had is not None:
            return had
        place, others, found = self._place, len(self.actions), {}
        for action in state.actions(player):
            known = place.get(action)
            if known is None:
                known, others = others, others + 1
            found[known] = action
        if state is self.state:
            self._legal[player] = found
        return found

    def player(self, policy: Policy) -> Callable[[State, list[Action], int], Action]:
        """A player for `referee.play` that does what the policy says."""

        def player(state: State, legal: list[Action], me: int) -> Action:
            seen = self.seen(state, me)
            chosen = policy(seen["observation"], seen["action_mask"])
            place, found = self._told(self.possible_agents[me], chosen), self.legal(state, me)
            if place not in found and not 0 <= place < len(self.actions):
                raise ValueError(f"the policy chose place {place}, where no action is")
            return found[place] if place in found else self.actions[place]  # which the rules refuse

        return player

    def render(self) -> str | None:
        """The board: returned, or printed."""
        drawn = self.state.draw()
        if self.render_mode == "ansi":
            return drawn
        if self.render_mode == "human":
            print(drawn)
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self) -> None:
        self.state = rules.start(self.game)
        self.agents = self.possible_agents[:]
        self._legal = [None, None]

    def _told(self, agent: str, action: object) -> int:
        """The place that an agent was said to choose."""
        try:
            return index(action)  # type: ignore[arg-type]
        except TypeError:
            last = len(self.actions) + self._others - 1
            said = f"{agent}'s action should be a whole number from 0 to {last}, not {action!r:.100}"
            raise UsageError(said) from None

    def _go_on(self, chosen: Mapping[int, int]) -> tuple[float, float] | None:
        """The state after what was chosen, by place; the rewards if that ended the game."""
        actions = {player: self.legal(self.state, player).get(place) for player, place in chosen.items()}
        if wrong := [player for player, action in actions.items() if action is None]:
            return -1.0 if 0 in wrong else 1.0, -1.0 if 1 in wrong else 1.0
        self.state = self.state.after(actions)
        self._legal = [None, None]
        outcome = self.state.outcome()
        if outcome is None:
            return None
        first, second = outcome[0]
        return float(first - second), float(second - first)


class InTurns(Spaces, AECEnv):
    """A game in which one player chooses at a time."""

    def __init__(self, game: str, render_mode: str | None = None):
        Spaces.__init__(self, game, render_mode)
        AECEnv.__init__(self)
        self.metadata = metadata(game, is_parallelizable=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; there is nothing in it that a seed could decide."""
        self._begin()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state.to_act()[0]]

    def step(self, action: int | None) -> None:
        """An action of the agent that is to choose; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        rewards = self._go_on({self.possible_agents.index(agent): self._told(agent, action)})
        if rewards is not None:
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.agent_selection = self.possible_agents[self.state.to_act()[0]]
        if self.render_mode == "human":
            self.render()


class AtOnce(Spaces, ParallelEnv):
    """A game in which both choose at once."""

    def __init__(self, game: str, render_mode: str | None = None):
        Spaces.__init__(self, game, render_mode)
        self.metadata = metadata(game, is_parallelizable=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; there is nothing in it that a seed could decide."""
        self._begin()
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """An action of each; what others are said to do does not count."""
        agents = self.agents
        chosen = {
            self.possible_agents.index(agent): self._told(agent, actions.get(agent)) for agent in agents
        }
        rewards = self._go_on(chosen) if agents else None
        if rewards is not None:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self.observe(agent) for agent in agents},
            dict(zip(agents, rewards or (0.0, 0.0), strict=False)),
            dict.fromkeys(agents, rewards is not None),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )


def metadata(game: str, is_parallelizable: bool) -> dict[str, Any]:
    """What PettingZoo asks of an environment."""
    name = f"{game.replace(':', '_')}_v0"
    return {
        "name": name,
        "render_modes": list(MODES),
        "is_parallelizable": is_parallelizable,
        "render_fps": 1,
    }


@cache
def indexed(game: str) -> tuple[tuple[Action, ...], dict[Action, int], int]:
    """The actions of a game in their order, their places, and how many places there are for others."""
    state = rules.start(game)
    actions = state.every_action()
    others = 0
    if actions is None:
        actions, others = tuple(_met(state)), OTHERS
    return actions, {action: place for place, action in enumerate(actions)}, others


def _met(start: State) -> list[Action]:
    """The actions that are legal somewhere in some random games, the same every time."""
    lots, met = Random("every action"), {}
    for _ in range(GAMES):
        state = start
        while players := state.to_act():
            legal = {player: state.actions(player) for player in players}
            for actions in legal.values():
                met.update(dict.fromkeys(actions))
            state = state.after({player: lots.choice(actions) for player, actions in legal.items()})
    return sorted(met, key=repr)
