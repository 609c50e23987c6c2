"""who may know of a move of a scene"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0004"
down_revision = "campaign_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Of the moves there are, anybody might know.
    op.add_column("scene_move", sa.Column("heard", sa.Text(), nullable=False, server_default="*"))


def downgrade() -> None:
    op.drop_column("scene_move", "heard")
