"""Reviews of sessions, with the reasons of the agents that made them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0006"
down_revision = "0005"

_NUMBER: TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "session_reviews",
        sa.Column("session", sa.Text, sa.ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("player", sa.Text, primary_key=True, comment="a digest of the player's token"),
        sa.Column("agent", sa.Text, nullable=False, comment="the agent that was asked"),
        sa.Column("version", sa.Text, nullable=False, comment="the version of Railbird that asked it"),
        sa.Column("last", _NUMBER, nullable=False, comment="the last finished hand then"),
        sa.Column("result", sa.Text, nullable=False, comment="counts and decisions, JSON"),
    )
    op.create_table(
        "review_reasons",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("hand", _NUMBER, primary_key=True),
        sa.Column("step", sa.SmallInteger, primary_key=True, comment="how many actions were done before"),
        sa.Column(
            "reasons", sa.LargeBinary, nullable=False, comment="JSON, compressed by zlib where it is long"
        ),
        sa.ForeignKeyConstraint(
            ["session", "player"],
            ["session_reviews.session", "session_reviews.player"],
            ondelete="CASCADE",
        ),
    )
