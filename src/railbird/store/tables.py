"""The tables of a store.

Row ids are valid within one store only; `hands.digest` is the same everywhere. Cards are text such as `AhKs`. Chips are
whole numbers; a payoff is `payoff / payoff_of` chips, where `payoff_of` is 1 unless a split pot was divided into
fractions. The winnings of each player, in small bets or big blinds per hand:

    SELECT players.name, COUNT(*), AVG(1.0 * payoff / payoff_of / games.unit_chips)
    FROM seats
    JOIN players ON players.id = seats.player
    JOIN hands ON hands.id = seats.hand
    JOIN games ON games.id = hands.game
    GROUP BY players.name, games.unit
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

NUMBER: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")
"""The type of row ids. SQLite accepts only INTEGER as an alias of its own row id."""

METADATA = MetaData()
VERSION = "0006"
"""The last migration that these tables include."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("betting", Text, nullable=False, comment="limit, pot-limit or no-limit"),
    Column("players", SmallInteger, nullable=False),
    Column("unit", Text, nullable=False, comment="sb/h at limit, bb/h otherwise"),
    Column("unit_chips", BigInteger, nullable=False, comment="the chips of one small bet or big blind"),
    Column(
        "rules", Text, nullable=False, comment="every rule as JSON; no stacks where each hand has its own"
    ),
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
)

SOURCES = Table(
    "sources",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, comment="the file's name when it was first read"),
    Column("digest", Text, nullable=False, unique=True, comment="SHA-256 of the file's bytes"),
    Column("added", Text, nullable=False, comment="when it was first read, ISO 8601, UTC"),
    Column("complete", Boolean, nullable=False, comment="whether it was read to its end"),
)

HANDS = Table(
    "hands",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True, comment="the same for the same hand"),
    Column("game", NUMBER, ForeignKey("games.id"), nullable=False),
    Column("hand_id", Text, nullable=False, comment="what the source calls the hand"),
    Column("first", SmallInteger, nullable=False, comment="the seat that opens the first round"),
    Column("board", Text, nullable=False),
    Column("venue", Text),
    Column("table_name", Text),
    Column("time", Text, comment="ISO 8601 as far as the source tells"),
    Column("currency", Text),
    Column("chip", Text, comment="what a chip is worth in the currency; nothing for 1"),
    Column("notes", Text, comment="whatever else the source tells, pairs as JSON"),
    Column("ending", Text, comment="what went back, was shown and was awarded, events as JSON"),
    Column("events", Text, comment="all events as JSON, where their order is not the usual one"),
    Column("left_out", Text, comment="why statistics leave it out: unfinished or uncertain"),
    Index("hands_left_out", "left_out", "game"),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("hand", NUMBER, ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, comment="counted from the left of the button"),
    Column("player", NUMBER, ForeignKey("players.id"), nullable=False),
    Column("chair", BigInteger, comment="the seat's number at the table, where the source has numbers"),
    Column("stack", BigInteger, nullable=False),
    Column("blind", BigInteger, nullable=False),
    Column("ante", BigInteger, nullable=False),
    Column("cards", Text, comment="nothing where they are not known"),
    Column("payoff", BigInteger, nullable=False),
    Column("payoff_of", BigInteger, nullable=False),
    Index("seats_of_player", "player", "hand"),
    sqlite_with_rowid=False,
)

ACTIONS = Table(
    "actions",
    METADATA,
    Column("hand", NUMBER, ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, comment="counted from 0"),
    Column("round", SmallInteger, nullable=False, comment="0 is preflop"),
    Column("seat", SmallInteger, nullable=False),
    Column("kind", Text, nullable=False, comment="f, c or r: fold, check or call, bet or raise"),
    Column("paid", BigInteger, nullable=False),
    Column("bet", BigInteger, nullable=False, comment="the seat's bet of the round afterwards: raise-to"),
    CheckConstraint("kind IN ('f', 'c', 'r')", name="known_kind"),
    sqlite_with_rowid=False,
)

SIGHTINGS = Table(
    "sightings",
    METADATA,
    Column("hand", NUMBER, ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
    Column("source", NUMBER, ForeignKey("sources.id"), primary_key=True),
    Index("sightings_of_source", "source", "hand"),
    sqlite_with_rowid=False,
)
"""The sources that contain a hand: more than one if files overlap."""

TALLIES = Table(
    "tallies",
    METADATA,
    Column("player", NUMBER, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("game", NUMBER, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("currency", Text, primary_key=True, comment="empty for play chips"),
    Column("chip", Text, primary_key=True, comment="what a chip is worth in the currency, such as 1/100"),
    Column("hands", BigInteger, nullable=False),
    Column("net", Text, nullable=False, comment="the sum of payoffs in chips, exactly"),
    Column("squares", Text, nullable=False, comment="the sum of their squares"),
    Column("counts", Text, nullable=False, comment="of actions and of hands, numbers with spaces"),
    Column("flop_types", Text, nullable=False, comment="hands:net by hand type at the flop, with spaces"),
    sqlite_with_rowid=False,
)
"""What each player did and won, added up over the hands that are not left out (`features.tallies`)."""

TALLIED = Table(
    "tallied",
    METADATA,
    Column(
        "through",
        NUMBER,
        primary_key=True,
        autoincrement=False,
        comment="the id of the last hand that is in the tallies",
    ),
)
"""At most one row."""

EXPERIENCES = Table(
    "experiences",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("system", Text, nullable=False, comment="whose cases they are"),
)
"""Learners' experiences, by name."""

LIVED_HANDS = Table(
    "lived_hands",
    METADATA,
    Column("experience", NUMBER, ForeignKey("experiences.id", ondelete="CASCADE"), primary_key=True),
    Column("number", NUMBER, primary_key=True, comment="counted from 1"),
    Column("cases", SmallInteger, nullable=False, comment="how many were retained"),
    Column("similarity", Double, comment="the mean of its cases; nothing where none were retrieved"),
    Column("won", Double, nullable=False, comment="in small bets at limit, in big blinds otherwise"),
    sqlite_with_rowid=False,
)

LIVED_CASES = Table(
    "lived_cases",
    METADATA,
    Column("experience", NUMBER, primary_key=True),
    Column("hand", NUMBER, primary_key=True),
    Column("number", SmallInteger, primary_key=True, comment="counted from 0"),
    Column("base", Text, nullable=False, comment="the case base, such as a stage"),
    Column("description", Text, nullable=False, comment="attributes and values as JSON"),
    Column("solution", Text, nullable=False, comment="what was done"),
    Column("outcome", Double, nullable=False, comment="in the unit of the hand"),
    Column("similarity", Double, comment="the mean of the retrieved cases; nothing where there were none"),
    Column("riders", Text, nullable=False, comment="what else explains the case, texts as JSON"),
    ForeignKeyConstraint(
        ["experience", "hand"], ["lived_hands.experience", "lived_hands.number"], ondelete="CASCADE"
    ),
    sqlite_with_rowid=False,
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, comment="a digest of the token by which the player is known"),
    Column("started", Text, nullable=False, comment="ISO 8601, UTC"),
    Column("finished", Boolean, nullable=False, comment="whether the player has left for good"),
    Column("settings", Text, nullable=False, comment="what the table needs to go on, JSON"),
    Column("used", Text, comment="when its table was last opened, or left for good; nothing before that"),
    Index("sessions_of_owner", "owner", "started"),
)
"""Sessions at the browser table."""

SESSION_HANDS = Table(
    "session_hands",
    METADATA,
    Column("session", Text, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", NUMBER, primary_key=True, comment="counted from 1"),
    Column("start", Text, nullable=False, comment="setup, chairs and cards, JSON"),
    Column("actions", Text, nullable=False, comment="f, c and r40 with spaces between them"),
    Column("over", Boolean, nullable=False, comment="whether it was played to its end or voided"),
    Column("counted", Boolean, nullable=False, comment="not in training, and not when it was voided"),
    Column("ending", Text, comment="JSON; nothing before the end"),
    Column("won", BigInteger, comment="what the player won; nothing before the end"),
    Column("won_of", BigInteger, comment="1 unless a split pot was divided into fractions"),
    Column("voided", Text, comment="why it was voided; nothing where it was not"),
    Index("session_results", "session", "counted", "won_of", "won"),
)
"""Hands of sessions as the browser table needs them; finished hands that count are also in `hands`."""

SESSION_REASONS = Table(
    "session_reasons",
    METADATA,
    Column("session", Text, primary_key=True),
    Column("hand", NUMBER, primary_key=True),
    Column("step", SmallInteger, primary_key=True, comment="how many actions were done before"),
    Column("reasons", LargeBinary, nullable=False, comment="JSON, compressed by zlib where it is long"),
    ForeignKeyConstraint(
        ["session", "hand"], ["session_hands.session", "session_hands.number"], ondelete="CASCADE"
    ),
)
"""Why agents acted as they did in hands of sessions."""

SESSION_REVIEWS = Table(
    "session_reviews",
    METADATA,
    Column("session", Text, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, primary_key=True, comment="a digest of the player's token"),
    Column("agent", Text, nullable=False, comment="the agent that was asked"),
    Column("version", Text, nullable=False, comment="the version of Railbird that asked it"),
    Column("last", NUMBER, nullable=False, comment="the last finished hand then"),
    Column("result", Text, nullable=False, comment="counts and decisions, JSON"),
)
"""What an agent found in the decisions of a player of a session: one review for each player, the latest."""

REVIEW_REASONS = Table(
    "review_reasons",
    METADATA,
    Column("session", Text, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("hand", NUMBER, primary_key=True),
    Column("step", SmallInteger, primary_key=True, comment="how many actions were done before"),
    Column("reasons", LargeBinary, nullable=False, comment="JSON, compressed by zlib where it is long"),
    ForeignKeyConstraint(
        ["session", "player"], ["session_reviews.session", "session_reviews.player"], ondelete="CASCADE"
    ),
)
"""Why the agent would have acted differently in the decisions of a review."""
