"""who was in campaigns that were deleted, and as what"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0009"
down_revision = "campaign_0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "past_member",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.PrimaryKeyConstraint("account", "campaign"),
    )


def downgrade() -> None:
    op.drop_table("past_member")
