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


def test_a_citation_is_read_as_title_authors_and_year() -> None:
    assert (
        str(PAPERS["casper-2008"]) == "Improving a Case-Based Texas Hold'em Poker Bot (Watson et al., 2008)"
    )
    assert cited("sartre-2012 §6") == "Case-Based Strategies in Computer Poker (Rubin and Watson, 2012), §6"
    assert cited("papp-1998") == "Dealing with Imperfect Information in Poker (Papp, 1998)"
    assert cited("My own notes, page 3") == "My own notes, page 3"
    assert [paper.key for paper in named_in(["sartre-2012 §6", "loki-1999", "notes"])] == [
        "loki-1999",
        "sartre-2012",
    ]
