"""Verifiable rolls, secret rolls, tallies, macros, a table's own dice"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0002"
down_revision = "dice_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "epoch",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("chain", sa.String(length=10), nullable=False),
        sa.Column("live", sa.String(length=10), nullable=True),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.String(length=400), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("closing", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "chain", "ordinal"),
        sa.UniqueConstraint("place", "live"),
    )
    op.create_table(
        "face_tally",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("die", sa.String(length=80), nullable=False),
        sa.Column("face", sa.Integer(), nullable=False),
        sa.Column("faces", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("place", "account", "die", "face"),
    )
    op.create_table(
        "macro",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("expression", sa.Text(), nullable=False),
        sa.Column("variables", sa.Text(), nullable=False),
        sa.Column("label", sa.String(length=120), nullable=True),
        sa.Column("dialect", sa.String(length=20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "name"),
    )
    op.create_index("ix_macro_place", "macro", ["place", "id"], unique=False)
    op.create_table(
        "receipt",
        sa.Column("epoch", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("roll", sa.String(length=40), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("epoch", "number"),
    )
    op.create_index("ix_receipt_roll", "receipt", ["roll"], unique=True)
    op.create_table(
        "signing_key",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("public", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.String(length=400), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "table_die",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("faces", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "name"),
    )
    op.create_table(
        "table_settings",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("dialect", sa.String(length=20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("place"),
    )
    op.create_table(
        "total_tally",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("expression", sa.Text(), nullable=False),
        sa.Column("definitions", sa.Text(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("place", "account", "digest", "total"),
    )
    op.add_column("roll", sa.Column("secret_seq", sa.Integer(), nullable=True))
    op.add_column("roll", sa.Column("scene", sa.String(length=40), nullable=True))
    op.add_column("roll", sa.Column("definitions", sa.Text(), nullable=True))
    op.add_column("roll", sa.Column("exact", sa.Text(), nullable=True))
    op.add_column("roll", sa.Column("outcome", sa.String(length=60), nullable=True))
    op.add_column("roll", sa.Column("epoch", sa.String(length=40), nullable=True))
    op.add_column("roll", sa.Column("number", sa.Integer(), nullable=True))
    # A roll from before there were batches is one of its own.
    op.add_column("roll", sa.Column("batch", sa.String(length=40), nullable=False, server_default=""))
    op.add_column("roll", sa.Column("batch_place", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE roll SET batch = id")
    op.add_column("roll", sa.Column("revealed_at", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("roll") as roll:
        roll.alter_column("seq", existing_type=sa.Integer(), nullable=True)
        roll.alter_column("batch", existing_type=sa.String(length=40), server_default=None)
        roll.alter_column("batch_place", existing_type=sa.Integer(), server_default=None)
    op.drop_index("ix_roll_campaign", table_name="roll")
    op.create_index("ix_roll_place", "roll", ["place", "id"], unique=False)
    op.create_index("ix_roll_batch", "roll", ["batch", "batch_place"], unique=False)
    op.create_index("ix_roll_scene", "roll", ["scene", "id"], unique=False)
    op.create_index("ix_roll_secret", "roll", ["place", "secret_seq"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_roll_secret", table_name="roll")
    op.drop_index("ix_roll_scene", table_name="roll")
    op.drop_index("ix_roll_batch", table_name="roll")
    op.drop_index("ix_roll_place", table_name="roll")
    op.create_index("ix_roll_campaign", "roll", ["campaign", "id"], unique=False)
    with op.batch_alter_table("roll") as roll:
        roll.alter_column("seq", existing_type=sa.Integer(), nullable=False)
    op.drop_column("roll", "revealed_at")
    op.drop_column("roll", "batch_place")
    op.drop_column("roll", "batch")
    op.drop_column("roll", "number")
    op.drop_column("roll", "epoch")
    op.drop_column("roll", "outcome")
    op.drop_column("roll", "exact")
    op.drop_column("roll", "definitions")
    op.drop_column("roll", "scene")
    op.drop_column("roll", "secret_seq")
    op.drop_table("total_tally")
    op.drop_table("table_settings")
    op.drop_table("table_die")
    op.drop_table("signing_key")
    op.drop_index("ix_receipt_roll", table_name="receipt")
    op.drop_table("receipt")
    op.drop_index("ix_macro_place", table_name="macro")
    op.drop_table("macro")
    op.drop_table("face_tally")
    op.drop_table("epoch")
