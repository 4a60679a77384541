"""Sets of texts that take few bytes: they know what a set knows."""

from random import Random

from referee.match.texts import Texts


def test_they_know_what_a_set_knows():
    random, texts, known = Random(1), Texts(), set()
    for _ in range(20_000):
        text = str(random.randrange(12_000))
        assert texts.add(text) == (text not in known)
        known.add(text)
    assert len(texts) == len(known)
    assert all((str(number) in texts) == (str(number) in known) for number in range(13_000))
    assert "" not in texts and texts.add("") and "" in texts and texts.add("\ud800")


def test_a_text_takes_some_twenty_bytes():
    texts = Texts()
    for number in range(10_000):
        texts.add(f"a text of which nobody wants to keep every letter, number {number}")
    assert len(texts._table) * texts._table.itemsize / len(texts) < 25
