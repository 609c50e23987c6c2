"""what scenes have changed about characters that is not the characters' own yet"""

import sqlalchemy as sa
from alembic import op

revision = "character_0004"
down_revision = "character_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "scene_change",
        sa.Column("character", sa.String(length=40), nullable=False),
        sa.Column("scene", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("system", sa.String(length=60), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("own", sa.JSON(), nullable=True),
        sa.Column("shown", sa.JSON(), nullable=True),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("character", "scene"),
    )


def downgrade() -> None:
    op.drop_table("scene_change")
