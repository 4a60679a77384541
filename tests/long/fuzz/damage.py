"""Damages bytes and texts as files, pipes and hostile programs do."""

PIECES = """
    [ ] { } " ' , : \\ ( ) - + 0 1e999 NaN true Infinity null -0.0 0x 1_0 \\u0000 \\ud800 \\x41
    ٣ ² é 𝟙 # = % None True f''
    """.split()
PIECES += [
    "9" * 400,
    "\n",
    "\r",
    "\t",
    "\0",
    "\x1b[2J",
    "\x7f",
    "\u2028",
    "\u202e",
    "\ufeff",
    " ",
    "  ",
    "lambda: 0",
]


def damaged(text, random):
    """The text with one to four mistakes in it; now and then many."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 4, 30))):
        place = random.randrange(len(text) + 1)
        length = random.choice((0, 0, 1, 1, 2, 5, 50))
        piece = random.choice(("", random.choice(PIECES), text[place : place + random.randrange(1, 40)]))
        times = random.choice((1, 1, 1, 2, 50, 700)) if len(text) < 20_000 else 1
        text = text[:place] + piece * times + text[place + length :]
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.1 else text


def damaged_bytes(data, random):
    """The same for bytes, which may also be no text any more."""
    data = bytearray(damaged(data.decode("latin-1"), random).encode("utf-8", "surrogatepass"))
    for _ in range(random.choice((0, 0, 1, 5))):
        place = random.randrange(len(data) + 1)
        data[place : place + random.randrange(3)] = random.randbytes(random.randrange(1, 4))
    return bytes(data)
