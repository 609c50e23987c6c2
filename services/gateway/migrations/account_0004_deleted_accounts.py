"""deleted accounts"""

import sqlalchemy as sa
from alembic import op

revision = "account_0004"
down_revision = "account_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("account", "deleted_at")
