"""Campaigns that were there before go on after the migrations."""

from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import create_engine, text

from services.shared.migrate import upgrade

NOW = datetime(2026, 11, 1, tzinfo=UTC).isoformat(" ")
BEFORE = f"""
INSERT INTO campaign (id, name, description, created_by, created_at, version)
    VALUES ('cmp_1', 'Crown', '', 'acc_gone', '{NOW}', 1);
INSERT INTO member (campaign, account, role, joined_at) VALUES ('cmp_1', 'acc_gm', 'gm', '{NOW}');
INSERT INTO member (campaign, account, role, joined_at) VALUES ('cmp_1', 'acc_demoted', 'player', '{NOW}');
"""
INVITATION = f"""
INSERT INTO invitation (id, campaign, code, role, uses_left, created_by, created_at, expires_at)
    VALUES (:issuer, 'cmp_1', :issuer, 'gm', 1, :issuer, '{NOW}', '{NOW}')
"""


async def test_only_the_invitations_of_gms_outlive_the_migration_unrevoked(tmp_path: Path) -> None:
    file = tmp_path / "campaign.db"
    await upgrade("campaign", f"sqlite:///{file}", to="campaign_0009")
    plain = create_engine(f"sqlite:///{file}")
    with plain.begin() as connection:
        for statement in filter(str.strip, BEFORE.split(";")):
            connection.execute(text(statement))
        for issuer in ("acc_gm", "acc_demoted", "acc_gone"):
            connection.execute(text(INVITATION), {"issuer": issuer})
    await upgrade("campaign", f"sqlite:///{file}")
    with plain.begin() as connection:
        rows = connection.execute(text("SELECT id, revoked_at IS NOT NULL FROM invitation ORDER BY id")).all()
        assert [tuple(row) for row in rows] == [("acc_demoted", 1), ("acc_gm", 0), ("acc_gone", 1)]
        assert connection.execute(text("SELECT vacant_since FROM campaign")).scalar() is None
        assert connection.execute(text("SELECT count(*) FROM member WHERE declined")).scalar() == 0
