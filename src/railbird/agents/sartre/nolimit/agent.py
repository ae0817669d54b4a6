"""SartreNL: SARTRE for heads-up no-limit hold'em (sartre-2012 §6).

                               sartre-nl-2010     sartre-nl
    bets                       fcqhipdvt          fcqhipdvta
    translation in play        hard               soft
    re-use policy              probabilistic      max-frequency

1. Read the bets of the hand as letters (`sequences`).
2. Retrieve the most similar case (`cases`), and decide on a letter as the expert did there.
3. A letter that is not legal becomes the next larger bet, all-in at last, or a call if nobody may raise.
4. Bet about as much as the letter means (`amounts`).

The cases are in a pack, made by `railbird watch --as sartre-nl`; the pack decides which letters there are. Stacks and
chips may have any size; in Doyle's game both players begin every hand with 200 big blinds.
"""

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, MatchAgent, MatchStart, Meaning, Strategies, UnsuitableGame, drawn
from railbird.agents.sartre.imitator import (
    Architecture,
    ExpertCases,
    RateParameter,
    ReuseParameter,
    chances_of,
    pack_path,
)
from railbird.agents.sartre.nolimit.amounts import DELTA, Amounts
from railbird.agents.sartre.nolimit.cases import RATE, nolimit_table
from railbird.agents.sartre.nolimit.explanation import Considered, explain_bet
from railbird.agents.sartre.nolimit.sequences import ALPHA, SequenceReader
from railbird.agents.sartre.nolimit.situations import NoLimitSituations
from railbird.agents.sartre.nolimit.watching import plays_heads_up_no_limit
from railbird.agents.sartre.situations import stage_of
from railbird.agents.sartre.systems import actions_of
from railbird.agents.shipped import Stamp, is_shipped, stamp
from railbird.cbr.packs.files import Pack, read_pack
from railbird.engine.rules import GameRules
from railbird.observation import Observation
from railbird.strategies.actions import ActionAbstraction, Translation, Translator, legal_places, merged

_MOST_PACKS = 8
"""Maximum number of packs kept in memory."""


class SartreNLError(ValueError):
    """A parameter that SartreNL cannot play with."""


class SartreNL(MatchAgent):
    """Does what an expert did in the most similar situation, heads-up at no-limit."""

    title = "SartreNL"
    papers = "sartre-2012 §6"
    reads = ("pack",)

    def __init__(
        self,
        pack: Annotated[
            str,
            Meaning(
                "Its cases: a file written by railbird watch --as sartre-nl, or a shipped pack by name.",
                "sartre-2012 §6.3.3",
            ),
        ] = "sartre-nl",
        translation: Annotated[
            Literal["soft", "hard"],
            Meaning(
                "How bets of other sizes are read: as one of the two nearest sizes, at random (soft), or as the nearer "
                "one (hard).",
                "sartre-2012 §6.3.2",
            ),
        ] = "soft",
        reuse: ReuseParameter = "max-frequency",
        delta: Annotated[
            float,
            Meaning(
                "How far its own bets may differ from their size, at random, as a part of the bet.",
                "sartre-2012 §6.3.2",
            ),
        ] = DELTA,
        alpha: Annotated[
            float,
            Meaning(
                "How fast the similarity of betting sequences falls with the distance of their bets.",
                "sartre-2012 §6.3.4",
            ),
        ] = ALPHA,
        rate: RateParameter = RATE,
    ) -> None:
        if not 0.0 <= delta <= 1.0:
            raise SartreNLError(
                f"delta={delta} is not a valid proportion of a bet: it must be between 0 and 1"
            )
        if not 0.0 <= alpha <= 1.0:
            raise SartreNLError(f"alpha={alpha} is not a valid rate of decay: it must be between 0 and 1")
        if not 0.0 < rate < inf:
            raise SartreNLError(f"rate={rate} is not a valid k of equation 2: it must be above 0")
        self.pack = pack
        self.translation = translation
        self.reuse = reuse
        self.delta = delta
        self.alpha = alpha
        self.rate = rate

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not heads-up no-limit hold'em, and a pack that cannot be read."""
        if not plays_heads_up_no_limit(rules):
            raise UnsuitableGame(
                f"{type(self).__name__} plays no-limit hold'em with two players, which {rules.name} is not"
            )
        nolimit_pack(stamp(pack_path(self.pack)))

    def files(self) -> tuple[Path, ...]:
        """The pack."""
        return (pack_path(self.pack),)

    def start(self, match: MatchStart) -> None:
        """Load the pack, and take the match's randomness."""
        pack, actions = nolimit_pack(stamp(pack_path(self.pack)))
        self.generator_ = match.stream.generator()
        self.amounts_ = Amounts(self.delta, match.stream.child("amount"))
        translator = Translator(Translation(self.translation), match.stream.child("translation"))
        self.reader_ = SequenceReader(actions, translator, self.amounts_)
        self.cases_ = ExpertCases(
            pack,
            NoLimitSituations(self.reader_),
            nolimit_table(actions, self.alpha, self.rate),
            Architecture(reuse=self.reuse),
        )

    def bookmark(self) -> Any:
        """The state of its generator."""
        return {"generator": self.generator_.bit_generator.state}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        self.generator_.bit_generator.state = bookmark["generator"]

    def choose(self, observation: Observation) -> Decision:
        """Act as the expert did."""
        episode = self.cases_.episode(observation)
        offered = self.reader_.offered(observation.node, observation.hand_number, observation.seat)
        legal, places = legal_places(self.reader_.actions.letters, offered)
        chances = merged(chances_of(episode), places, len(legal))
        strategy = tuple(zip(legal, chances, strict=True))
        action = drawn(strategy, float(self.generator_.random()))
        base = self.cases_.pack.bases[stage_of(observation)]
        seen = Considered(base, episode, observation, self.reader_, offered, action)
        return Decision(action, explain_bet(seen), strategy)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        offered = self.reader_.offered(observation.node, observation.hand_number, observation.seat)
        legal, places = legal_places(self.reader_.actions.letters, offered)
        by_letter = list(self.cases_.chances(observation, holdings).T)
        columns = [np.broadcast_to(each, len(holdings)) for each in merged(by_letter, places, len(legal))]
        return Strategies(legal, holdings, np.column_stack(columns))


class SartreNL2010(
    SartreNL, preset={"pack": "sartre-nl-2010", "translation": "hard", "reuse": "probabilistic"}
):
    """SartreNL as of 2010: no all-in, bets read as the nearest known size; acts as often as the expert did."""

    title = "SartreNL 2010"
    papers = "sartre-2012 §6.4.1"


@lru_cache(maxsize=_MOST_PACKS)
def nolimit_pack(found: Stamp) -> tuple[Pack, ActionAbstraction]:
    """The pack of a file, shared by all agents and never changed, and its actions."""
    pack = read_pack(found.path, riders_later=is_shipped(found.path))
    actions = actions_of(pack.system, str(found.path))
    pack.require(pack.system, nolimit_table(actions).schemas, str(found.path))
    return pack, actions
