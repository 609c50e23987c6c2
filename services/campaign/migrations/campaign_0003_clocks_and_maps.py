"""deadlines of scenes, the map a scene is set on"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0003"
down_revision = "campaign_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene", sa.Column("deadlines", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("scene", sa.Column("due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("scene", sa.Column("map", sa.String(length=40), nullable=True))
    op.create_index("ix_scene_due", "scene", ["due_at"], unique=False)
    op.create_index("ix_scene_map", "scene", ["map"], unique=False)
    op.add_column("scene_move", sa.Column("lapsed", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("scene_move", "lapsed")
    op.drop_index("ix_scene_map", table_name="scene")
    op.drop_index("ix_scene_due", table_name="scene")
    op.drop_column("scene", "map")
    op.drop_column("scene", "due_at")
    op.drop_column("scene", "deadlines")
