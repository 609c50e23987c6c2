"""expired invitations in order"""

from alembic import op

revision = "campaign_0008"
down_revision = "campaign_0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_invitation_expires_at"), "invitation", ["expires_at"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_invitation_expires_at"), table_name="invitation")
