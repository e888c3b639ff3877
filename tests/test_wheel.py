"""An installed wheel works outside of the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel would install, and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.slow
def test_the_wheel_carries_the_configuration_the_sample_and_the_scripts_of_the_store(installed: Path) -> None:
    assert (installed / "storm/config/syllabus/drug.yaml").is_file()
    sample = Path("storm/databases/corpus/sample")
    assert _names(installed / sample) == _names(CHECKOUT / sample)
    assert (installed / sample.with_name("SAMPLE-NOTICE.md")).is_file()
    assert (installed / "storm/citations/wordnet.txt.gz").is_file()
    assert (installed / "storm/citations/WORDNET-LICENSE").is_file()
    assert (installed / "storm/store/lua/save_source.lua").is_file()
    assert (installed / "storm/export/page.css").is_file() and (installed / "storm/export/page.js").is_file()
    assert (installed / "storm/export/docx_styles.xml").is_file() and (installed / "storm/export/pdf.typ").is_file()
    migrations = Path("storm/traces/migrations")
    assert {*_names(installed / migrations / "versions")} >= {"v0001_tool_traces.py", "v0002_trace_events.py"}
    assert (installed / migrations / "env.py").is_file()
    assert (installed / "storm/py.typed").is_file()
    assert {path.name for path in installed.iterdir()} == {"storm", next(installed.glob("*.dist-info")).name}


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.slow
def test_it_makes_a_dossier_from_another_folder(installed: Path, tmp_path: Path) -> None:
    # -P and -S with a path of our own: the editable install of the checkout must not be what answers.
    paths = [str(installed), *(path for path in sys.path if path.endswith("site-packages"))]
    program = f"import sys; sys.path[:0] = {paths!r}; from storm.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", program, "run", "trastuzumab", "--offline", "--quiet", "--out", "out"],
        cwd=tmp_path,
        env={"STORM_DATA_DIR": str(tmp_path / "data"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out/dossier.md").read_text().startswith("# trastuzumab")
    assert (tmp_path / "out/dossier.html").read_text(encoding="utf-8").startswith("<!doctype html>")
