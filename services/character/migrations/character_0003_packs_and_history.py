"""packs of content, and the history of each character"""

import sqlalchemy as sa
from alembic import op

revision = "character_0003"
down_revision = "character_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("character", sa.Column("packs", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.create_table(
        "character_version",
        sa.Column("character", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("note", sa.String(length=400), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=True),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.Column("packs", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("character", "version"),
    )
    op.create_table(
        "pack_use",
        sa.Column("character", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(length=40), nullable=False),
        sa.Column("pack_version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("character", "version", "pack"),
    )
    op.create_index("ix_pack_use_pack", "pack_use", ["pack", "pack_version"], unique=False)
    op.create_table(
        "pack",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_pack_owner", "pack", ["owner", "id"], unique=False)
    op.create_index("ix_pack_campaign", "pack", ["campaign", "id"], unique=False)
    op.create_table(
        "pack_version",
        sa.Column("pack", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("pack", "version"),
    )
    # The history of who was there before begins with what they are now.
    op.execute(
        "INSERT INTO character_version "
        "(character, version, what, note, account, name, choices, packs, created_at) "
        "SELECT id, version, 'kept', '', NULL, name, choices, packs, updated_at "
        "FROM character WHERE deleted_at IS NULL"
    )


def downgrade() -> None:
    op.drop_table("pack_version")
    op.drop_table("pack")
    op.drop_table("pack_use")
    op.drop_table("character_version")
    # Not as a batch, which makes the table anew.
    op.drop_column("character", "packs")
