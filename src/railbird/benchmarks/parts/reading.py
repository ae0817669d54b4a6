"""Speed of reading hand files and of counting stored hands, in processor time on one core.

The hands are those of players who mostly fold, as in card rooms: six at a table, no-limit, with stacks of their own in
every hand, and hole cards known only where they were shown.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from railbird.arena.results.archive import Archive, count_careers
from railbird.benchmarks.measuring import Figure, Work, bounded, compare_rates, if_installed
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.formats import PHH, PHHS, POKERSTARS, Format
from railbird.notation.refusals import Refused
from railbird.notation.sources import Sources
from railbird.observation import visible_to
from railbird.rng import Stream
from railbird.store.sources import Source
from railbird.store.store import open_store

HANDS = 1500
PEER_HANDS = 60
STORED = 134_208
PLAYERS = 12_000
SHOWN = 20
HANDS_PER_SECOND = 5000.0
SECONDS = 3.0
SOURCES = {PHHS: ".phhs files", PHH: "single .phh files", POKERSTARS: "PokerStars text"}


def figures() -> Iterator[Figure]:
    """Hands read in a second, by format, and the time that statistics of a store take."""
    records = _records(HANDS)
    with TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        for form, source in SOURCES.items():
            files = _written(records, form, folder / form.name)
            measured = compare_rates(
                f"hands read from {source}",
                _reading(files),
                "PokerKit",
                None if form is POKERSTARS else _pokerkit_reading(records[:PEER_HANDS], form),
                unit="hands/s",
            )
            yield replace(measured, peer="bound", theirs=HANDS_PER_SECOND, required=1.0)
            if form is not POKERSTARS:
                yield measured
        yield bounded(
            f"statistics of {STORED:,} hands in SQLite",
            [_seconds_of_statistics(records, folder / "hands.db")],
            SECONDS,
            "s",
        )


def _records(hands: int) -> list[HandRecord]:
    draw = random.Random(7)
    words = Stream.from_seed("bench reading").words()
    rules = named_game("nolimit-6max")
    records = []
    for number in range(hands):
        setup = Setup.of(rules, [draw.randrange(20, 200) * rules.big_blind for _ in range(6)])
        state = State.deal(setup, words)
        while not state.is_over:
            legal = state.legal_actions
            chance = draw.random()
            if legal.fold and chance < 0.7:
                state.act(FOLD)
            elif legal.can_raise and chance > 0.85:
                state.act(raise_to(min(2 * legal.raise_minimum, legal.raise_maximum)))
            else:
                state.act(CALL)
        record = HandRecord.of(state, tuple(f"player {seat}" for seat in range(6)), str(number))
        records.append(replace(record, events=visible_to(None, record.events)))
    return records


def _written(records: list[HandRecord], form: Format, folder: Path) -> list[Path]:
    folder.mkdir()
    texts = _texts(records, form) if form.one_hand else ["".join(_texts(records, form))]
    files = [folder / f"{number:06d}{form.endings[0]}" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    return files


def _texts(records: list[HandRecord], form: Format) -> list[str]:
    """The text of each hand. Without Railbird's own field, PHH hands have the rules of any PHH file."""
    assert form.writer is not None
    writer = form.writer()
    texts = [*map(writer.hand, records), writer.end()]
    return [re.sub(r"(?m)^_railbird.*\n", "", text) for text in texts if text]


def _reading(files: list[Path]) -> Work:
    def work() -> int:
        refused = Refused()
        count = sum(1 for _ in Sources.named(files).records(refused))
        assert count == HANDS, refused.first
        return count

    return work


@if_installed
def _pokerkit_reading(records: list[HandRecord], form: Format) -> Work:
    """PokerKit parses the same text, and plays the hands by its rules."""
    from pokerkit import HandHistory

    texts = _texts(records, form)

    def work() -> int:
        if form.one_hand:
            hands = [HandHistory.loads(text) for text in texts]
        else:
            hands = list(HandHistory.loads_all("".join(texts)))
        for hand in hands:
            for _ in hand:
                pass
        return len(hands)

    return work


def _seconds_of_statistics(records: list[HandRecord], path: Path) -> float:
    """As `railbird stats` counts: the tallies of all players, and the careers of those with the most hands."""
    draw = random.Random(8)
    names = [f"player {number}" for number in range(PLAYERS)]
    hands = (
        replace(record, hand_id=str(number), players=tuple(draw.sample(names, 6)))
        for number, record in enumerate(islice(cycle(records), STORED))
    )
    with open_store(path) as store:
        store.add_hands(hands, Source("bench", "bench"))
    start = process_time()
    counted = count_careers(Archive((str(path),)), refused=Refused())
    for player in counted.players[:SHOWN]:
        counted.career(player)
    seconds = process_time() - start
    assert counted.hands == STORED
    return seconds
