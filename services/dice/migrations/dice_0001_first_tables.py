"""first tables"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        "roll",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("character", sa.String(length=40), nullable=True),
        sa.Column("label", sa.String(length=120), nullable=True),
        sa.Column("expression", sa.Text(), nullable=False),
        sa.Column("faces", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "seq"),
    )
    op.create_index("ix_roll_account", "roll", ["account", "id"], unique=False)
    op.create_index("ix_roll_campaign", "roll", ["campaign", "id"], unique=False)
    op.create_index("ix_roll_character", "roll", ["character", "id"], unique=False)
    op.create_table(
        "sequence",
        sa.Column("scope", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope"),
    )


def downgrade() -> None:
    op.drop_table("sequence")
    op.drop_index("ix_roll_character", table_name="roll")
    op.drop_index("ix_roll_campaign", table_name="roll")
    op.drop_index("ix_roll_account", table_name="roll")
    op.drop_table("roll")
    op.drop_index("ix_outbox_unpublished", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index(op.f("ix_idempotency_created_at"), table_name="idempotency")
    op.drop_table("idempotency")
