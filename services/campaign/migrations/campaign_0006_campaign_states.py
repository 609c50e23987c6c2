"""scenes that are begun from a campaign's own, and what they hand over to it"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0006"
down_revision = "campaign_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene", sa.Column("begun_from", sa.String(length=40), nullable=True))
    op.add_column("scene", sa.Column("begun_as", sa.String(length=120), nullable=True))
    op.add_column("scene", sa.Column("inbox", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("scene_move", sa.Column("heard_from", sa.String(length=60), nullable=True))


def downgrade() -> None:
    op.drop_column("scene_move", "heard_from")
    op.drop_column("scene", "inbox")
    op.drop_column("scene", "begun_as")
    op.drop_column("scene", "begun_from")
