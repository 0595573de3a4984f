# SPDX-License-Identifier: MIT
"""Runs the program on arrays, and reads the maps that it writes."""

import csv
import functools
import gzip
import os
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

NIFTI_TYPES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 512: "u2", 768: "u4"}


def read_nifti(path):
    content = gzip.decompress(path.read_bytes())
    extents = struct.unpack("<8h", content[40:56])
    kind, = struct.unpack("<h", content[70:72])
    offset = int(struct.unpack("<f", content[108:112])[0])
    shape = extents[extents[0]:0:-1]
    return np.frombuffer(content, "<" + NIFTI_TYPES[kind], int(np.prod(shape)), offset).reshape(
        shape)


def read_maps(folder):
    return {path.name.split(".")[0]: read_nifti(path) for path in folder.glob("*.nii.gz")}


class Program:
    """The command line, on raw frames."""

    def __init__(self, folder):
        self.folder = folder

    def _words(self, operation, array, *reading):
        """A command without its input, which is data.raw."""
        words = [os.environ["VIVOGRAPH_PROGRAM"], "run", operation, "--backend", "cpu",
                 "--out", str(self.folder / "maps"), "--format", "nifti"]
        if array is not None:
            (self.folder / "data.raw").write_bytes(array.tobytes())
            height, width = array.shape[-2:]
            kind, size = array.dtype.kind, array.dtype.itemsize
            words += ["--geometry", f"{width}x{height}:{kind}{8 * size}"]
        return words + list(reading)

    def run(self, operation, array, settings, *reading):
        words = self._words(operation, array, *reading)
        words += [] if array is None else [str(self.folder / "data.raw")]
        for name, value in settings.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        subprocess.run(words, check=True, capture_output=True)
        return read_maps(self.folder / "maps")

    def run_study(self, operation, array, settings, *reading):
        """The maps of each of a list of SETTINGS; None: the program refused it."""
        words = self._words(operation, array, *reading)
        names = sorted({name for one in settings for name in one})
        with open(self.folder / "study.csv", "w", encoding="utf-8", newline="") as file:
            write = csv.writer(file).writerow
            write(["file", "name", *names])
            for i, one in enumerate(settings):
                write(["" if array is None else "data.raw", f"row{i}",
                       *(str(one.get(name, "")) for name in names)])
        ended = subprocess.run([*words, "--list", str(self.folder / "study.csv")],
                               capture_output=True, text=True)
        assert ended.returncode in (0, 1), ended.stderr
        with open(self.folder / "maps" / "results.csv", encoding="utf-8", newline="") as file:
            done = [row["status"] == "done" for row in csv.DictReader(file)]
        return [read_maps(self.folder / "maps" / f"row{i}") if row_is_done else None
                for i, row_is_done in enumerate(done)]


@pytest.fixture
def program(tmp_path: Path):
    if "VIVOGRAPH_PROGRAM" not in os.environ:
        pytest.skip("VIVOGRAPH_PROGRAM does not name the program")
    return Program(tmp_path)


@pytest.fixture(scope="session")
def studies(tmp_path_factory):
    """Runs a study, once for each operation."""
    if "VIVOGRAPH_PROGRAM" not in os.environ:
        pytest.skip("VIVOGRAPH_PROGRAM does not name the program")

    @functools.lru_cache(maxsize=None)
    def run(operation, make):
        return Program(tmp_path_factory.mktemp(operation)).run_study(*make(operation))

    return run


@pytest.fixture
def noise():
    return np.random.default_rng(1)
