"""first tables"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("created_by", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "consumer_cursor",
        sa.Column("producer", sa.String(length=40), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("producer"),
    )
    op.create_table(
        "idempotency",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.String(length=400), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", "key"),
    )
    op.create_index(op.f("ix_idempotency_created_at"), "idempotency", ["created_at"], unique=False)
    op.create_table(
        "outbox",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("position", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=80), nullable=False),
        sa.Column("topic", sa.String(length=120), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("position"),
    )
    op.create_index("ix_outbox_unpublished", "outbox", ["published_at", "id"], unique=False)
    op.create_table(
        "sequence",
        sa.Column("scope", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope"),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("code", sa.String(length=20), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
    )
    op.create_index(op.f("ix_invitation_campaign"), "invitation", ["campaign"], unique=False)
    op.create_table(
        "log_entry",
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=True),
        sa.Column("subject", sa.String(length=40), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign", "seq"),
    )
    op.create_table(
        "member",
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign", "account"),
    )
    op.create_index(op.f("ix_member_account"), "member", ["account"], unique=False)
    op.create_table(
        "seat",
        sa.Column("character", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("seated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("character"),
    )
    op.create_index(op.f("ix_seat_campaign"), "seat", ["campaign"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_seat_campaign"), table_name="seat")
    op.drop_table("seat")
    op.drop_index(op.f("ix_member_account"), table_name="member")
    op.drop_table("member")
    op.drop_table("log_entry")
    op.drop_index(op.f("ix_invitation_campaign"), table_name="invitation")
    op.drop_table("invitation")
    op.drop_table("sequence")
    op.drop_index("ix_outbox_unpublished", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index(op.f("ix_idempotency_created_at"), table_name="idempotency")
    op.drop_table("idempotency")
    op.drop_table("consumer_cursor")
    op.drop_table("campaign")
