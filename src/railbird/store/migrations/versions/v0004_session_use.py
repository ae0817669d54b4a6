"""When sessions were last used, so that old ones can be removed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; for earlier sessions only the start is known."""
    op.add_column(
        "sessions",
        sa.Column(
            "used", sa.Text, comment="when its table was last opened, or left for good; nothing before that"
        ),
    )
