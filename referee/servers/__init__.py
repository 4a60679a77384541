"""Plays on the courses' own servers: one file for each protocol, and what the protocols have in common.

A protocol's module has one entry, which plays what there is to play and returns the exit code:

    def play(connection: Connection, agent: Agent, terms: Terms) -> int

    connection   connection.py: open; `line()` or `receive()`, `send(bytes)`, `nonsense(said, expected)`
    agent        agent.py: imported already; `sit(player, colour)` when the server has said which seat is
                 ours, then `action(state, since)` and `update(*news)`: whatever the player does, an
                 action that is legal in the state comes back, in time
    terms        server_game.py: who plays there, as what, within which limits; what is shown and kept

It may have `LIMITS`, where its server's are not the course's.  It is called when the player is
imported and the server reached; trouble of both kinds has been said by then.

A game that has a beginning, a middle and an end is played by the match loop: the module has a
subclass of `server_game.Bridge` with `ours(state)` and `theirs(state)`, and

    agent.sit(player, state.COLOURS[player])
    result = server_game.ServerGame(server, agent, terms, terms.notes).play()

shows it, records it with --record and gives the verdict.  `server_game.exit_code(result, agent)` is 1 where
our agent was at fault.  Kalaha's server tells of no games, so that it needs more: agent.hand_over()
gives the process away, kalaha_answers.py asks it, kalaha_games.py pieces the games together.

Trouble with the other side is `RefereeTrouble` in one sentence that names it.
"""

# game: the module that speaks its course's protocol
BRIDGES = {
    "pentago": "pentago",
    "kalaha": "kalaha",
    "fanorona": "fanorona",
    "expendibots": "battleground",
    "ropasci": "battleground",
}
