"""for whom elsewhere a bot did what the log tells"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0016"
down_revision = "campaign_0015"
branch_labels = None
depends_on = None

NAMED = sa.text("external_author IS NOT NULL")


def upgrade() -> None:
    op.add_column("log_entry", sa.Column("external_author", sa.String(length=80), nullable=True))
    op.create_index(
        "ix_log_entry_external", "log_entry", ["account"], sqlite_where=NAMED, postgresql_where=NAMED
    )


def downgrade() -> None:
    op.drop_index("ix_log_entry_external", "log_entry")
    op.drop_column("log_entry", "external_author")
