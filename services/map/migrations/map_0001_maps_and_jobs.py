"""maps and jobs"""

import sqlalchemy as sa
from alembic import op

revision = "map_0001"
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
        "job",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resend_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resent", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_job_campaign"), "job", ["campaign"], unique=False)
    op.create_index(op.f("ix_job_owner"), "job", ["owner"], unique=False)
    op.create_index("ix_job_resend", "job", ["state", "resend_at"], unique=False)
    op.create_table(
        "job_change",
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job", "version"),
    )
    op.create_table(
        "map",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("seed", sa.String(length=20), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("generator_version", sa.Integer(), nullable=False),
        sa.Column("gates", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("job"),
    )
    op.create_index("ix_map_campaign", "map", ["campaign", "id"], unique=False)
    op.create_index("ix_map_owner", "map", ["owner", "id"], unique=False)
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
        "map_file",
        sa.Column("map", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("content_type", sa.String(length=80), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["map"],
            ["map.id"],
        ),
        sa.PrimaryKeyConstraint("map", "name"),
    )


def downgrade() -> None:
    op.drop_table("map_file")
    op.drop_table("sequence")
    op.drop_index("ix_outbox_unpublished", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index("ix_map_owner", table_name="map")
    op.drop_index("ix_map_campaign", table_name="map")
    op.drop_table("map")
    op.drop_table("job_change")
    op.drop_index("ix_job_resend", table_name="job")
    op.drop_index(op.f("ix_job_owner"), table_name="job")
    op.drop_index(op.f("ix_job_campaign"), table_name="job")
    op.drop_table("job")
    op.drop_index(op.f("ix_idempotency_created_at"), table_name="idempotency")
    op.drop_table("idempotency")
