"""The Containerfile: a target for each role, out of its extra, without privileges, with a health check."""

import re
import subprocess
import tomllib

from infra.launch.bootstrap import ROOT
from tests.infra.deployments import COMMANDS, DEPLOY, PRODUCT, TOOLS, image_command, inherited, stages

TARGETS = PRODUCT - {"player"}  # which runs in the worker's image
PYTHON = TARGETS - {"gateway"}


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(
        [TOOLS / "hadolint", DEPLOY / "Containerfile"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_each_process_has_an_image_that_runs_its_command() -> None:
    assert {target: image_command(target) for target in TARGETS} == {
        target: COMMANDS[target] for target in TARGETS
    }


def test_an_image_holds_the_packages_of_its_own_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for target in PYTHON:
        copied = [rest.split()[0] for rest in inherited(target, "COPY") if "/opt/venv" in rest]
        assert copied == [f"--from={target}-packages"], target
        (install,) = (rest for rest in inherited(f"{target}-packages", "RUN") if "--extra" in rest)
        assert install.endswith(f"uv pip install -r pyproject.toml --extra {target}")
        assert target in extras
    settings = " ".join(inherited("packages", "ENV"))
    assert "UV_REQUIRE_HASHES=1" in settings
    assert "UV_CONSTRAINT=/app/requirements.lock" in settings


def test_images_run_without_privileges_and_stop_by_sigterm() -> None:
    for target in TARGETS:
        assert inherited(target, "USER")[0] == "10001:10001", target
        assert inherited(target, "STOPSIGNAL")[0] == "SIGTERM", target


def test_what_listens_has_a_health_check() -> None:
    checked = {target for target in TARGETS if inherited(target, "HEALTHCHECK")}
    assert checked == TARGETS - {"worker", "sweeper", "migrate"}
    assert {target for target in TARGETS if inherited(target, "EXPOSE")} == checked


def test_compiled_kernels_are_where_maps_are_made_and_for_any_processor() -> None:
    with_kernels = {target for target in TARGETS if "--from=kernels /app /app" in inherited(target, "COPY")}
    assert with_kernels == {"map", "worker"}
    for target in ("kernels", *with_kernels):
        assert "NUMBA_CPU_NAME=generic" in inherited(target, "ENV")[0]
    for target in with_kernels:
        assert inherited(target, "ENTRYPOINT") == ['["infra/deploy/with_kernels.sh"]']


def test_base_images_are_pinned_by_a_version() -> None:
    arguments = re.findall(r"^ARG \w+_IMAGE=(\S+)$", (DEPLOY / "Containerfile").read_text("utf-8"), re.M)
    assert len(arguments) == 2
    for image in arguments:
        assert re.fullmatch(r"[a-z]+:\d+(\.\d+)*-[a-z-]+", image)


def test_only_what_the_images_are_made_of_reaches_the_builder() -> None:
    lines = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    allowed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert "*" in lines
    copied = {
        source
        for instructions in stages().values()
        for word, rest in instructions
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied
    for source in copied:
        assert any(source == path or source.startswith(f"{path}/") for path in allowed), source
    for path in allowed:
        assert (ROOT / path).exists(), path
