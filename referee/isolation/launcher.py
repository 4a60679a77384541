"""The program of each process that a player runs in, started by its path: nothing of the referee's is in it.

    launcher.py player OPTIONS    becomes the player, on the descriptors 0, 1 and 2 (portable.py)
    launcher.py keeper LINK       becomes a keeper, and the player's process below it (linux.py, --cold)
    launcher.py launch            loads numpy, then forks a keeper for each request (launchers.py)
    launcher.py launch plain      the same without numpy, for the referee's own players

A request to the last is one message with three descriptors: the player's channel, its output, and the link
to its keeper.  Whatever else is to be known the keeper reads from its link, so that a launcher holds nothing
of any player for the next one to find.  It ends when the other end of its own link closes.
"""

import importlib
import json
import os
import socket
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def ours(*names):
    """Modules of this folder, which no player finds afterwards."""
    package = types.ModuleType("isolation")
    package.__path__ = [HERE]
    sys.modules["isolation"] = package
    found = [importlib.import_module(f"isolation.{name}") for name in names]
    for name in [name for name in sys.modules if name.partition(".")[0] == "isolation"]:
        del sys.modules[name]
    return found


def launch(keeper, far_end, loaded, is_plain):
    """Fork keepers until nobody is left to ask for one."""
    link = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    state = loaded.Loaded(is_plain)
    while True:
        message, descriptors, _, _ = socket.recv_fds(link, 1, 3)
        if not message:
            os._exit(0)
        if len(descriptors) == 3:
            if keeper.fork_beside() == 0:
                link.close()
                own_link = _take_places(*descriptors)
                keeper.keep(own_link, lambda options: far_end.run(options, state))
        for descriptor in descriptors:
            os.close(descriptor)


def _take_places(channel, output, link):
    for descriptor, place in ((channel, 0), (channel, 1), (output, 2)):
        os.dup2(descriptor, place)
    os.close(channel)
    os.close(output)
    return socket.socket(fileno=link)


def main():
    role, *arguments = sys.argv[1:]
    sys.argv[:] = [sys.argv[0]]
    if role == "player":
        options = json.loads(arguments[0])
        (become,) = ours("program" if options["program"] else "far_end")
        become.run(options)
    keeper, far_end, program, loaded = ours("keeper", "far_end", "program", "loaded")
    keeper.behave_as_usual()
    if role == "launch":
        launch(keeper, far_end, loaded, arguments == ["plain"])

    def become_player(options):
        program.run(options) if options["program"] else far_end.run(options)

    keeper.keep(socket.socket(fileno=int(arguments[0])), become_player)


if __name__ == "__main__":
    main()
