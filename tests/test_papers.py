"""The registry of publications."""

import re
from pathlib import Path

from railbird.agent import agent_info, agent_names
from railbird.papers import PAPERS, cited, named_in

ROOT = Path(__file__).parents[1]
KEY = re.compile(r"[a-z]+-(\d{4})")


def test_papers_are_listed_by_year_with_all_that_a_citation_needs() -> None:
    assert [paper.year for paper in PAPERS.values()] == sorted(paper.year for paper in PAPERS.values())
    for key, paper in PAPERS.items():
        named = KEY.fullmatch(key)
        assert named is not None
        assert int(named[1]) == paper.year
        assert paper.title
        assert paper.authors
        assert paper.venue


def test_every_agent_cites_known_papers() -> None:
    for name in agent_names():
        for citation in agent_info(name).papers:
            assert cited(citation) != citation, f"{name} cites {citation}"


def test_every_paper_named_in_the_documents_is_known() -> None:
    folders = {file.name for file in (ROOT / "src/railbird/agents").iterdir() if file.is_dir()}
    for page in (ROOT / "docs").glob("*.md"):
        for key in re.findall(rf"\b(?:{'|'.join(sorted(folders))})-\d{{4}}\b(?=[ ,.;:)§])", page.read_text()):
            assert key in PAPERS or key in agent_names(), f"{page.name} names {key}"


def test_a_citation_names_authors_title_venue_and_year() -> None:
    assert str(PAPERS["casper-2008"]) == (
        "Watson et al.: Improving a Case-Based Texas Hold'em Poker Bot. "
        "IEEE Symposium on Computational Intelligence and Games, 2008"
    )
    assert PAPERS["casper-2008"].reference.startswith(
        "Ian Watson, Song Lee, Jonathan Rubin and Stefan Wender: "
    )
    sartre = "Rubin and Watson: Case-Based Strategies in Computer Poker. AI Communications 25, 2012"
    assert cited("sartre-2012 §6") == cited("sartre-2012, §6") == f"{sartre}, §6"
    assert cited("sartre-2012") == sartre
    assert cited("My own notes, page 3") == "My own notes, page 3"
    assert [paper.key for paper in named_in(["sartre-2012 §6", "loki-1999, Results", "notes"])] == [
        "loki-1999",
        "sartre-2012",
    ]


def test_the_readme_cites_every_paper_in_full() -> None:
    words = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for paper in PAPERS.values():
        assert paper.reference in words, paper.key
