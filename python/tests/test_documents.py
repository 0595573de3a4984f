# SPDX-License-Identifier: MIT
"""The examples of docs/python.md run, one after the other."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.is_file(), reason="the documents are not beside the package")
def test_page(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 3
    names = {}
    for block in blocks:
        exec(block, names)  # each goes on with the names of those before
    said = capsys.readouterr().out
    assert "flow_index" in said and float(re.search(r"([\d.]+) ns", said)[1]) == pytest.approx(
        2.3, rel=.02)
    assert names["maps"]["lifetime"].shape == names["counts"].shape[1:]
    assert np.isnan(names["maps"]["lifetime"]).all()  # the counts do not fall
