"""Kernels are compiled once for one state of the code, and anew for another."""

import sys
from pathlib import Path

import pytest

from infra.launch import kernels
from infra.launch.failure import KernelFailure


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a virtual environment without a stamp."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return tmp_path


def test_the_same_code_is_compiled_once(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "SHARES", (("story",),))
    kernels.compile_kernels()
    assert "compiling" in capfd.readouterr().err
    stamp = (venv / kernels.STAMP).read_text()
    kernels.compile_kernels()
    assert capfd.readouterr().err == "" and (venv / kernels.STAMP).read_text() == stamp
    (venv / kernels.STAMP).write_text("of other code")
    monkeypatch.setattr(kernels, "SHARES", ())
    kernels.compile_kernels()
    assert "compiling" in capfd.readouterr().err and (venv / kernels.STAMP).read_text() == stamp


def test_what_cannot_be_compiled_is_told_in_one_line_and_tried_again(
    venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "SHARES", (("castle",),))
    with pytest.raises(KernelFailure, match="castle"):
        kernels.compile_kernels()
    assert not (venv / kernels.STAMP).exists()
