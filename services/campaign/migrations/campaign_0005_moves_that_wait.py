"""moves that wait for answers, and the answers that belong to them"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0005"
down_revision = "campaign_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene", sa.Column("waiting", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("scene_move", sa.Column("part_of", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("scene_move", "part_of")
    op.drop_column("scene", "waiting")
