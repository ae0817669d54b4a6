"""What the command prints, at 80 columns and in a pipe."""

import re

import pytest

from command import railbird
from railbird.agent import agent_info, agent_names
from railbird.agents.provenance import provenance
from railbird.papers import PAPERS, cited


def shown(*arguments: object) -> str:
    outcome = railbird(*arguments)
    assert outcome.code == 0, outcome.error
    return outcome.out.decode()


def test_the_list_of_agents_shows_stars_by_game_and_descriptions() -> None:
    text = shown("agents")
    assert re.search(r"^agent +limit-2p +nolimit-2p +limit-3p +limit-6max", text)
    assert re.search(r"^simbot +★★★★★ +★★★★★ +★★★★★", text, re.MULTILINE)
    for name in agent_names():
        assert re.search(rf"^{name} +{re.escape(agent_info(name).summary)}", text, re.MULTILINE)


@pytest.mark.parametrize("name", agent_names())
def test_every_parameter_of_every_agent_is_explained(name: str) -> None:
    info, text = agent_info(name), shown("agents", name)
    for parameter in info.parameters:
        meaning = parameter.meaning
        assert meaning.text.endswith("."), parameter.name
        assert meaning.text[0].isupper()
        assert f"  {parameter.name} (" in text
        assert meaning.text in text
        assert not meaning.source or cited(meaning.source) != meaning.source
        assert meaning.source in text
        for choice in parameter.kind.split(" | ")[1:]:
            assert choice in text
    for citation in info.papers:
        assert cited(citation) in text


def test_the_knowledge_of_an_agent_is_told_for_its_parameters() -> None:
    text = " ".join(shown("agents", "baycarp1:version=published,retain=yes").split())
    assert text.startswith("baycarp1:version=published,retain=yes (BayCaRP1) ")
    assert f"Knowledge: {provenance('baycarp1:version=published,retain=yes')}." in text
    assert "no parameter" in railbird("agents", "baycarp1:vresion=published").error


def test_papers_are_listed_with_authors_title_venue_year_and_agents() -> None:
    text = shown("papers")
    for paper in PAPERS.values():
        for part in (*paper.authors, paper.title, paper.venue, str(paper.year)):
            assert part in text
    assert "Agents: pokibot, probtriple, simbot" in text


def test_a_match_in_a_pipe_prints_a_line_for_each_player_and_nothing_else() -> None:
    outcome = railbird(
        "match", "--seats", "always-call,always-call,always-fold", "--game", "limit-3p", "--hands", 4
    )
    text = outcome.out.decode()
    assert outcome.error == ""
    assert "\x1b" not in text
    assert [line.split()[0] for line in text.splitlines()[1:4]] == [
        "always-call",
        "always-call",
        "always-fold",
    ]
    assert "-0.000" not in text


def test_a_crosstable_is_headed_by_places() -> None:
    agents = ["always-call", "always-fold", "always-raise", "random"]
    text = shown("tournament", "--agents", ",".join(agents), "--hands", 1)
    heading = next(line for line in text.splitlines() if line.startswith("won from"))
    assert heading.split()[-4:] == ["1", "2", "3", "4"]
    assert len(re.findall(r"^[1-4] (?:always|random)", text, re.MULTILINE)) == 4
