"""Learners' experiences: their hands, and the cases retained from them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0002"
down_revision = "0001"

_NUMBER: TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of experiences."""
    op.create_table(
        "experiences",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("system", sa.Text, nullable=False, comment="whose cases they are"),
    )
    op.create_table(
        "lived_hands",
        sa.Column(
            "experience", _NUMBER, sa.ForeignKey("experiences.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", _NUMBER, primary_key=True, comment="counted from 1"),
        sa.Column("cases", sa.SmallInteger, nullable=False, comment="how many were retained"),
        sa.Column(
            "similarity", sa.Double, comment="the mean of its cases; nothing where none were retrieved"
        ),
        sa.Column(
            "won", sa.Double, nullable=False, comment="in small bets at limit, in big blinds otherwise"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lived_cases",
        sa.Column("experience", _NUMBER, primary_key=True),
        sa.Column("hand", _NUMBER, primary_key=True),
        sa.Column("number", sa.SmallInteger, primary_key=True, comment="counted from 0"),
        sa.Column("base", sa.Text, nullable=False, comment="the case base, such as a stage"),
        sa.Column("description", sa.Text, nullable=False, comment="attributes and values as JSON"),
        sa.Column("solution", sa.Text, nullable=False, comment="what was done"),
        sa.Column("outcome", sa.Double, nullable=False, comment="in the unit of the hand"),
        sa.Column(
            "similarity", sa.Double, comment="the mean of the retrieved cases; nothing where there were none"
        ),
        sa.Column("riders", sa.Text, nullable=False, comment="what else explains the case, texts as JSON"),
        sa.ForeignKeyConstraint(
            ["experience", "hand"], ["lived_hands.experience", "lived_hands.number"], ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
