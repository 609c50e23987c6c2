"""what was told of what a running scene has changed about characters"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0007"
down_revision = "campaign_0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene", sa.Column("changes", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("scene", "changes")
