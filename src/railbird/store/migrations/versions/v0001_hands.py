"""Hands with their seats and actions, the games and players in them, and the sources they come from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None

_NUMBER: TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "games",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("betting", sa.Text, nullable=False, comment="limit, pot-limit or no-limit"),
        sa.Column("players", sa.SmallInteger, nullable=False),
        sa.Column("unit", sa.Text, nullable=False, comment="sb/h at limit, bb/h otherwise"),
        sa.Column(
            "unit_chips", sa.BigInteger, nullable=False, comment="the chips of one small bet or big blind"
        ),
        sa.Column(
            "rules",
            sa.Text,
            nullable=False,
            comment="every rule as JSON; no stacks where each hand has its own",
        ),
    )
    op.create_table(
        "players",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False, unique=True),
    )
    op.create_table(
        "sources",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False, comment="the file's name when it was first read"),
        sa.Column("digest", sa.Text, nullable=False, unique=True, comment="SHA-256 of the file's bytes"),
        sa.Column("added", sa.Text, nullable=False, comment="when it was first read, ISO 8601, UTC"),
        sa.Column("complete", sa.Boolean, nullable=False, comment="whether it was read to its end"),
    )
    op.create_table(
        "hands",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column(
            "digest", sa.LargeBinary, nullable=False, unique=True, comment="the same for the same hand"
        ),
        sa.Column("game", _NUMBER, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("hand_id", sa.Text, nullable=False, comment="what the source calls the hand"),
        sa.Column("first", sa.SmallInteger, nullable=False, comment="the seat that opens the first round"),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("venue", sa.Text),
        sa.Column("table_name", sa.Text),
        sa.Column("time", sa.Text, comment="ISO 8601 as far as the source tells"),
        sa.Column("currency", sa.Text),
        sa.Column("chip", sa.Text, comment="what a chip is worth in the currency; nothing for 1"),
        sa.Column("notes", sa.Text, comment="whatever else the source tells, pairs as JSON"),
        sa.Column("ending", sa.Text, comment="what went back, was shown and was awarded, events as JSON"),
        sa.Column("events", sa.Text, comment="all events as JSON, where their order is not the usual one"),
    )
    op.create_table(
        "seats",
        sa.Column("hand", _NUMBER, sa.ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, comment="counted from the left of the button"),
        sa.Column("player", _NUMBER, sa.ForeignKey("players.id"), nullable=False),
        sa.Column(
            "chair", sa.BigInteger, comment="the seat's number at the table, where the source has numbers"
        ),
        sa.Column("stack", sa.BigInteger, nullable=False),
        sa.Column("blind", sa.BigInteger, nullable=False),
        sa.Column("ante", sa.BigInteger, nullable=False),
        sa.Column("cards", sa.Text, comment="nothing where they are not known"),
        sa.Column("payoff", sa.BigInteger, nullable=False),
        sa.Column("payoff_of", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_of_player", "seats", ["player", "hand"])
    op.create_table(
        "actions",
        sa.Column("hand", _NUMBER, sa.ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.SmallInteger, primary_key=True, comment="counted from 0"),
        sa.Column("round", sa.SmallInteger, nullable=False, comment="0 is preflop"),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False, comment="f, c or r: fold, check or call, bet or raise"),
        sa.Column("paid", sa.BigInteger, nullable=False),
        sa.Column(
            "bet", sa.BigInteger, nullable=False, comment="the seat's bet of the round afterwards: raise-to"
        ),
        sa.CheckConstraint("kind IN ('f', 'c', 'r')", name="known_kind"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sightings",
        sa.Column("hand", _NUMBER, sa.ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", _NUMBER, sa.ForeignKey("sources.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("sightings_of_source", "sightings", ["source", "hand"])
