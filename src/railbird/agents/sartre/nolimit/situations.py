"""Situations of no-limit hold'em as SartreNL describes them: as at limit, and the stack commitment."""

from railbird.agents.sartre.nolimit.cases import COMMITMENT, stack_commitment
from railbird.agents.sartre.nolimit.sequences import SequenceReader
from railbird.agents.sartre.situations import Situations
from railbird.agents.sartre.systems import USUAL
from railbird.cbr.schema import Value
from railbird.kernels.rules import betting
from railbird.observation import Observation


class NoLimitSituations(Situations):
    """Describes situations with betting sequences of letters."""

    def __init__(self, reader: SequenceReader) -> None:
        super().__init__(USUAL)
        self.reader = reader

    def describe(self, observation: Observation) -> dict[str, Value]:
        """The attributes of a situation in the stage of the observation."""
        paid = observation.node.view[betting.PAID + observation.seat]
        commitment = stack_commitment(paid, observation.setup.stacks[observation.seat])
        return {**super().describe(observation), COMMITMENT: commitment}

    def sequence(self, observation: Observation) -> str:
        """The betting sequence of a situation."""
        return self.reader.sequence(observation.node, observation.hand_number, observation.seat)
