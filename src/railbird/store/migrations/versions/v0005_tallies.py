"""What players did and won, added up, and which hands have no exact results."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0005"
down_revision = "0004"

_NUMBER: TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables; hands that are there are added up when statistics are first wanted."""
    op.add_column(
        "hands",
        sa.Column("left_out", sa.Text, comment="why statistics leave it out: unfinished or uncertain"),
    )
    op.create_index("hands_left_out", "hands", ["left_out", "game"])
    op.create_table(
        "tallies",
        sa.Column("player", _NUMBER, sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", _NUMBER, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("currency", sa.Text, primary_key=True, comment="empty for play chips"),
        sa.Column(
            "chip", sa.Text, primary_key=True, comment="what a chip is worth in the currency, such as 1/100"
        ),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("net", sa.Text, nullable=False, comment="the sum of payoffs in chips, exactly"),
        sa.Column("squares", sa.Text, nullable=False, comment="the sum of their squares"),
        sa.Column("counts", sa.Text, nullable=False, comment="of actions and of hands, numbers with spaces"),
        sa.Column(
            "flop_types", sa.Text, nullable=False, comment="hands:net by hand type at the flop, with spaces"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tallied",
        sa.Column(
            "through",
            _NUMBER,
            primary_key=True,
            autoincrement=False,
            comment="the id of the last hand that is in the tallies",
        ),
    )
