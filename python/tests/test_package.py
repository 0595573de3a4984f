# SPDX-License-Identifier: MIT
"""The Debian package has the metadata of the Python package, and a missing library says what to
do."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest
import vivograph

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is of Python 3.11")
def test_metadata(tmp_path):
    subprocess.run([sys.executable, ROOT / "debian" / "dist-info", tmp_path], check=True)
    found, = importlib.metadata.distributions(path=[str(tmp_path)])
    assert found.metadata["Name"] == "vivograph" and found.version == vivograph.__version__
    assert {text.split(">")[0] for text in found.requires} == {"cffi", "numpy"}
    assert [entry.value for entry in found.entry_points] == ["vivograph:napari.yaml"]


def test_missing_library():
    ended = subprocess.run([sys.executable, "-c", "import vivograph"], capture_output=True,
                           text=True, env={**os.environ, "VIVOGRAPH_LIBRARY": "/none.so"})
    last = ended.stderr.strip().splitlines()[-1]
    assert ended.returncode == 1 and last.startswith("ImportError: ")
    assert "/none.so" in last and "meson install -C build" in last
