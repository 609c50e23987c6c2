"""invitations that end with their issuers' right, campaigns that wait for a game master"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0010"
down_revision = "campaign_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invitation", sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("campaign", sa.Column("vacant_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("member", sa.Column("declined", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "estate",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("account", "campaign"),
    )
    op.create_index(op.f("ix_estate_campaign"), "estate", ["campaign"], unique=False)
    op.execute(
        "UPDATE invitation SET revoked_at = CURRENT_TIMESTAMP WHERE NOT EXISTS (SELECT 1 FROM member"
        " WHERE member.campaign = invitation.campaign AND member.account = invitation.created_by"
        " AND member.role = 'gm')"
    )


def downgrade() -> None:
    op.drop_table("estate")
    op.drop_column("member", "declined")
    op.drop_column("campaign", "vacant_since")
    op.drop_column("invitation", "revoked_at")
