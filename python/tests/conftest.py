# SPDX-License-Identifier: MIT
"""Runs the program on arrays, and reads the maps that it writes."""

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


class Program:
    """The command line, on raw frames."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, operation, array, settings, *reading):
        words = [os.environ["VIVOGRAPH_PROGRAM"], "run", operation, "--backend", "cpu",
                 "--out", str(self.folder / "maps"), "--format", "nifti"]
        if array is not None:
            (self.folder / "data.raw").write_bytes(array.tobytes())
            height, width = array.shape[-2:]
            words += [str(self.folder / "data.raw"), "--geometry",
                      f"{width}x{height}:{array.dtype.kind}{8 * array.dtype.itemsize}"]
        words += reading
        for name, value in settings.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        subprocess.run(words, check=True, capture_output=True)
        return {path.name.split(".")[0]: read_nifti(path)
                for path in (self.folder / "maps").glob("*.nii.gz")}


@pytest.fixture
def program(tmp_path: Path):
    if "VIVOGRAPH_PROGRAM" not in os.environ:
        pytest.skip("VIVOGRAPH_PROGRAM does not name the program")
    return Program(tmp_path)


@pytest.fixture
def noise():
    return np.random.default_rng(1)
