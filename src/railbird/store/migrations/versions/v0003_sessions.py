"""Sessions at the browser table, with their hands and the agents' reasons in them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0003"
down_revision = "0002"

_NUMBER: TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of sessions."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column(
            "owner", sa.Text, nullable=False, comment="a digest of the token by which the player is known"
        ),
        sa.Column("started", sa.Text, nullable=False, comment="ISO 8601, UTC"),
        sa.Column("finished", sa.Boolean, nullable=False, comment="whether the player has left for good"),
        sa.Column("settings", sa.Text, nullable=False, comment="what the table needs to go on, JSON"),
    )
    op.create_index("sessions_of_owner", "sessions", ["owner", "started"])
    # Rows are long, so these tables keep SQLite's row ids; a table without row ids suits short rows only.
    op.create_table(
        "session_hands",
        sa.Column("session", sa.Text, sa.ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", _NUMBER, primary_key=True, comment="counted from 1"),
        sa.Column("start", sa.Text, nullable=False, comment="setup, chairs and cards, JSON"),
        sa.Column("actions", sa.Text, nullable=False, comment="f, c and r40 with spaces between them"),
        sa.Column("over", sa.Boolean, nullable=False, comment="whether it was played to its end or voided"),
        sa.Column(
            "counted", sa.Boolean, nullable=False, comment="not in training, and not when it was voided"
        ),
        sa.Column("ending", sa.Text, comment="JSON; nothing before the end"),
        sa.Column("won", sa.BigInteger, comment="what the player won; nothing before the end"),
        sa.Column("won_of", sa.BigInteger, comment="1 unless a split pot was divided into fractions"),
        sa.Column("voided", sa.Text, comment="why it was voided; nothing where it was not"),
    )
    op.create_index("session_results", "session_hands", ["session", "counted", "won_of", "won"])
    op.create_table(
        "session_reasons",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("hand", _NUMBER, primary_key=True),
        sa.Column("step", sa.SmallInteger, primary_key=True, comment="how many actions were done before"),
        sa.Column(
            "reasons", sa.LargeBinary, nullable=False, comment="JSON, compressed by zlib where it is long"
        ),
        sa.ForeignKeyConstraint(
            ["session", "hand"], ["session_hands.session", "session_hands.number"], ondelete="CASCADE"
        ),
    )
