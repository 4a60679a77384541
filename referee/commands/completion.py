"""Print a script that completes commands, games, agents and options of `referee` with Tab.

For bash put `eval "$(referee completion bash)"` into ~/.bashrc, for zsh the same with `zsh` into
~/.zshrc, behind `compinit`.  The script asks `referee completion words`, with the words typed
so far, what may stand as the last of them: so it knows every game and agent that is there now.  `python -m
referee` is completed as well.
"""

import argparse
import pkgutil
from collections.abc import Iterable, Sequence
from contextlib import suppress

from referee import commands, rules
from referee.players.names import places

SHELLS = ("bash", "zsh")
PLAYERS = ("first", "second", "players", "agent")  # what the parsers call them
BUILT_IN = ("random", "greedy", "human")

# Words are cut at blanks alone: bash cuts them at colons too, and replaces what stands behind the last.
BASH = r"""
_referee() {
    COMPREPLY=()
    local typed begun=""
    read -ra typed <<< "${COMP_LINE:0:COMP_POINT}"
    local run=("${typed[0]}")
    if [[ "${typed[0]##*/}" != referee ]]; then
        [[ "${typed[1]}" == -m && "${typed[2]}" == referee ]] || return
        run+=(-m referee)
    fi
    [[ "${COMP_LINE:COMP_POINT-1:1}" == " " ]] || { begun="${typed[-1]}"; unset "typed[-1]"; }
    (( ${#typed[@]} >= ${#run[@]} )) || return
    local cut=""
    [[ "$begun" == *:* ]] && cut="${begun%:*}:"
    local word
    while read -r word; do
        COMPREPLY+=("${word#"$cut"}")
    done < <("${run[@]}" completion words "${typed[@]:${#run[@]}}" "$begun" 2>/dev/null)
}
complete -o bashdefault -o default -F _referee referee python python3
"""
ZSH = r"""
_referee() {
    local -a run=("${words[1]}") found
    [[ "${words[2]}" == -m && "${words[3]}" == referee ]] && run+=(-m referee)
    if [[ $#run == 1 && "${words[1]:t}" != referee ]] || (( CURRENT <= $#run )); then
        _default
        return
    fi
    found=(${(f)"$("${run[@]}" completion words "${(@)words[$#run+1,CURRENT]}" 2>/dev/null)"})
    if (( ${#found} )); then compadd -a found; else _files; fi
}
compdef _referee referee python python3
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=SHELLS, help="prints the script for it: " + " or ".join(SHELLS), metavar="SHELL"
    )


def prepare(words: Sequence[str]) -> list[str]:
    """The command line; with `words`, as the scripts ask, what may stand as the last of the words."""
    if words[:1] != ["words"]:
        return list(words)
    for word in candidates(list(words[1:])):
        print(word)
    raise SystemExit(0)


def run(options: argparse.Namespace) -> int:
    print({"bash": BASH, "zsh": ZSH}[options.shell].strip())
    return 0


def candidates(words: Sequence[str]) -> list[str]:
    """What may stand as the last of these words, which has been begun; nothing where that is a file."""
    *before, begun = words or [""]
    return [word for word in _possible(before, begun) if word.startswith(begun)]


def _possible(before: Sequence[str], begun: str) -> Iterable[str]:
    known = commands.available()
    if not before:
        return known
    if before[0] not in known:
        return []
    parser = commands.parser(before[0])
    options = {name: action for action in parser._actions for name in action.option_strings}
    if begun.startswith("-"):
        return [name for name in options if name.startswith("--")]
    place, value_of = 0, None
    for word in before[1:]:
        if value_of:
            value_of = None
        elif word in options:
            value_of = options[word] if options[word].nargs is None else None
        elif not word.startswith("-"):
            place += 1
    if value_of:
        return value_of.choices or []
    places = [action for action in parser._actions if not action.option_strings]
    return _of(places[min(place, len(places) - 1)]) if places else []


def _of(action: argparse.Action) -> Iterable[str]:
    """What may stand in a place that is no option's."""
    if action.dest == "game":
        return games()
    if action.dest in PLAYERS:
        return [*agents(), *BUILT_IN]
    return action.choices or []


def games() -> list[str]:
    """All games, with the variants that they name; without those whose files are not right."""
    found = []
    for game in rules.games():
        with suppress(ValueError):
            found += [game, *(f"{game}:{variant}" for variant in rules.start(game).VARIANTS)]
    return found


def agents() -> list[str]:
    """The packages that can be named here and are called as agents are."""
    names = {module.name for module in pkgutil.iter_modules(places())}
    return sorted(name for name in names if name.endswith("_agent"))
