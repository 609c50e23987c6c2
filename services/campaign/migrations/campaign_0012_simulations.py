"""simulations, and the jobs that play them"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0012"
down_revision = "campaign_0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("whole", sa.String(length=40), nullable=True),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("line", sa.String(length=8), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_job_owner"), "job", ["owner"], unique=False)
    op.create_index(op.f("ix_job_campaign"), "job", ["campaign"], unique=False)
    op.create_index(op.f("ix_job_whole"), "job", ["whole"], unique=False)
    op.create_index("ix_job_line", "job", ["line", "owner", "due_at", "id"], unique=False)
    op.create_index("ix_job_ended", "job", ["ended_at"], unique=False)
    op.create_table(
        "job_share",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("rank", sa.Float(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("owner"),
    )
    op.create_table(
        "simulation",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("network", sa.String(length=80), nullable=True),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("most_blocks", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("first_block", sa.Integer(), nullable=False),
        sa.Column("next_block", sa.Integer(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("tally", sa.Text(), nullable=True),
        sa.Column("report", sa.Text(), nullable=True),
        sa.Column("processor_ms", sa.Float(), nullable=False),
        sa.Column("owed", sa.Integer(), nullable=False),
        sa.Column("waits_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("job"),
    )
    op.create_index("ix_simulation_owner", "simulation", ["owner", "id"], unique=False)
    op.create_index("ix_simulation_campaign", "simulation", ["campaign", "id"], unique=False)
    op.create_index("ix_simulation_question", "simulation", ["question"], unique=False)
    op.create_table(
        "simulation_block",
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("block", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lane", sa.String(length=40), nullable=True),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("tally", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("job", "block"),
    )


def downgrade() -> None:
    for table in ("simulation_block", "simulation", "job_share", "job"):
        op.drop_table(table)
