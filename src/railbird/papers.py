"""The publications behind the agents. Agents, experiments and documents name them by key, with a section if need be.

>>> str(PAPERS["sartre-2012"])
'Rubin and Watson: Case-Based Strategies in Computer Poker. AI Communications 25, 2012'
>>> cited("sartre-2012 §6")
'Rubin and Watson: Case-Based Strategies in Computer Poker. AI Communications 25, 2012, §6'
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_LISTED = 3
"""Maximum number of authors who are all named."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A publication."""

    key: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int

    @property
    def by(self) -> str:
        """The authors' family names."""
        names = [author.rpartition(" ")[2] for author in self.authors]
        return f"{names[0]} et al." if len(names) > _LISTED else _listed(names)

    def __str__(self) -> str:
        return f"{self.by}: {self.title}. {self.venue}, {self.year}"

    @property
    def reference(self) -> str:
        """The publication with all its authors by their full names."""
        return f"{_listed(self.authors)}: {self.title}. {self.venue}, {self.year}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_ALL = (
    Paper(
        "papp-1998",
        "Dealing with Imperfect Information in Poker",
        ("Denis Papp",),
        "Master's thesis, University of Alberta",
        1998,
    ),
    Paper(
        "loki-1999",
        "Using Selective-Sampling Simulations in Poker",
        ("Darse Billings", "Denis Papp", "Lourdes Peña", "Jonathan Schaeffer", "Duane Szafron"),
        "AAAI Spring Symposium on Search Techniques for Problem Solving under Uncertainty and Incomplete Information",
        1999,
    ),
    Paper(
        "pena-1999",
        "Probabilities and Simulations in Poker",
        ("Lourdes Peña",),
        "Master's thesis, University of Alberta",
        1999,
    ),
    Paper(
        "casey-2006",
        "A Case-Based Learner for Poker",
        ("A. Sandven", "B. Tessem"),
        "Ninth Scandinavian Conference on Artificial Intelligence",
        2006,
    ),
    Paper(
        "casper-2007",
        "Investigating the Effectiveness of Applying Case-Based Reasoning to the Game of Texas Hold'em",
        ("Jonathan Rubin", "Ian Watson"),
        "20th International Florida Artificial Intelligence Research Society Conference",
        2007,
    ),
    Paper(
        "casper-2008",
        "Improving a Case-Based Texas Hold'em Poker Bot",
        ("Ian Watson", "Song Lee", "Jonathan Rubin", "Stefan Wender"),
        "IEEE Symposium on Computational Intelligence and Games",
        2008,
    ),
    Paper(
        "imitators-2011",
        "On Combining Decisions from Multiple Expert Imitators for Performance",
        ("Jonathan Rubin", "Ian Watson"),
        "22nd International Joint Conference on Artificial Intelligence",
        2011,
    ),
    Paper(
        "baycarp-2011",
        "Integrating CBR and BN for Decision Making with Imperfect Information: Exemplified by Texas Hold'em Poker",
        ("Sebastian Helstad Unger",),
        "Master's thesis, Norwegian University of Science and Technology",
        2011,
    ),
    Paper(
        "sartre-2012",
        "Case-Based Strategies in Computer Poker",
        ("Jonathan Rubin", "Ian Watson"),
        "AI Communications 25",
        2012,
    ),
)
PAPERS: Mapping[str, Paper] = {paper.key: paper for paper in _ALL}
"""All publications by key, the oldest first."""


def cited(citation: str) -> str:
    """A citation such as `sartre-2012 §6` with authors, title, venue and year; other texts are unchanged."""
    key = _key_of(citation)
    if key not in PAPERS:
        return citation
    return ", ".join(filter(None, (str(PAPERS[key]), citation.removeprefix(key).lstrip(", "))))


def named_in(citations: Iterable[str]) -> tuple[Paper, ...]:
    """The publications that citations name, the oldest first."""
    keys = set(map(_key_of, citations))
    return tuple(paper for paper in _ALL if paper.key in keys)


def _key_of(citation: str) -> str:
    return citation.partition(" ")[0].removesuffix(",")
