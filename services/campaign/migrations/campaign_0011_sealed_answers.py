"""answers that stay secret for good"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0011"
down_revision = "campaign_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene_move", sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false()))
    # Nobody knows any more which of these were secret when they were taken back.
    op.execute("UPDATE scene_move SET sealed = true WHERE part_of IS NOT NULL AND undone_by IS NOT NULL")


def downgrade() -> None:
    op.drop_column("scene_move", "sealed")
