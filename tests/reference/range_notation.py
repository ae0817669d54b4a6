"""The length of the shortest text for a few classes, by trying every combination of tokens."""

from collections.abc import Iterator

RANKS = "23456789TJQKA"


def row_tokens(high: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Every token of unpaired classes with this first rank, and the classes it names."""
    kickers = RANKS[: RANKS.index(high)]
    for kind in ("s", "o", ""):
        for start, low in enumerate(kickers):
            for end in range(start, len(kickers)):
                run = kickers[start : end + 1]
                classes = frozenset(f"{high}{kicker}{suffix}" for kicker in run for suffix in kind or "so")
                if len(run) == 1:
                    yield f"{high}{low}{kind}", classes
                else:
                    yield f"{high}{run[-1]}{kind}-{high}{low}{kind}", classes
                if end == len(kickers) - 1:
                    yield f"{high}{low}{kind}+", classes


def pair_tokens() -> Iterator[tuple[str, frozenset[str]]]:
    """Every token of pairs, and the classes it names."""
    for start, low in enumerate(RANKS):
        for end in range(start, len(RANKS)):
            run = RANKS[start : end + 1]
            classes = frozenset(2 * rank for rank in run)
            yield (2 * low if len(run) == 1 else f"{2 * run[-1]}-{2 * low}"), classes
            if end == len(RANKS) - 1:
                yield f"{2 * low}+", classes


def shortest_length(tokens: Iterator[tuple[str, frozenset[str]]], wanted: frozenset[str], suffix: int) -> int:
    """The least number of characters that name these classes, with commas and a weight after each token."""
    usable = [(len(text) + suffix, classes) for text, classes in tokens if classes <= wanted]
    lengths = {frozenset[str](): -1}  # the first token has no comma
    frontier = list(lengths)
    while frontier:
        named = frontier.pop()
        for length, classes in usable:
            more = named | classes
            if lengths[named] + 1 + length < lengths.get(more, 10**9):
                lengths[more] = lengths[named] + 1 + length
                frontier.append(more)
    return lengths[wanted]
