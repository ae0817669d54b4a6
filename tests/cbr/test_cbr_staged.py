"""A table of attributes for several stages: which stage has which attribute, and with which weight."""

from dataclasses import replace

import pytest

from railbird.cbr.schema import SchemaError, Symbol
from railbird.cbr.similarity import AllOrNothing
from railbird.cbr.staged import Row, StagedTable
from railbird.spec import SpecError
from workshops import WORKSHOP


def test_a_stage_has_the_attributes_that_have_a_weight_there_even_if_it_is_0() -> None:
    assert WORKSHOP.names("quote") == ("noise", "age")
    assert WORKSHOP.names("repair") == ("noise", "age", "wear")
    assert WORKSHOP.similarity("quote").weights() == {"noise": 10.0, "age": 0.0}
    assert WORKSHOP.similarity("repair").weights() == {"noise": 30.0, "age": 5.0, "wear": 15.0}


def test_schemas_and_similarities_are_made_once() -> None:
    for stage in WORKSHOP.stages:
        assert WORKSHOP.schema(stage) is WORKSHOP.schema(stage) is WORKSHOP.schemas[stage]
        assert WORKSHOP.similarity(stage) is WORKSHOP.similarity(stage)
        assert WORKSHOP.similarity(stage).schema is WORKSHOP.schema(stage)
        assert WORKSHOP.schema(stage).solutions == ("oil", "replace")


def test_named_weights_replace_those_of_the_table() -> None:
    evolved = WORKSHOP.similarity("repair", {"age": 50.0})
    assert evolved.weights() == {"noise": 30.0, "age": 50.0, "wear": 15.0}
    assert WORKSHOP.similarity("repair", {}) is WORKSHOP.similarity("repair")


def test_the_same_table_serves_other_solutions() -> None:
    plans = replace(WORKSHOP, solutions=("oil", "oil then replace"))
    assert plans.schema("quote").solutions == ("oil", "oil then replace")
    assert plans.names("repair") == WORKSHOP.names("repair")


def test_a_row_is_found_by_its_name() -> None:
    assert list(WORKSHOP["wear"].weights) == [None, 15]
    with pytest.raises(SpecError, match="no attribute is called 'waer': did you mean 'wear'?"):
        _ = WORKSHOP["waer"]


def test_an_unknown_stage_is_refused() -> None:
    for ask in (WORKSHOP.names, WORKSHOP.schema, WORKSHOP.similarity):
        with pytest.raises(SpecError, match="no stage is called 'repiar': did you mean 'repair'?"):
            ask("repiar")


def test_a_row_has_a_weight_for_every_stage() -> None:
    with pytest.raises(SchemaError, match="noise has 1 weights for 2 stages"):
        StagedTable(("quote", "repair"), (Row(Symbol("noise"), AllOrNothing(), (10,)),), ("oil",))
