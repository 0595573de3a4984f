# SPDX-License-Identifier: MIT
"""Some maps instead of all, and what happens if they do not fit into memory."""

import warnings

import numpy as np
import pytest
import vivograph
from vivograph import _arrays


@pytest.fixture
def frames(noise):
    return noise.integers(100, 4000, (6, 24, 30), dtype=np.uint16)


def test_some_maps(frames):
    everything = vivograph.flow(frames)
    some = vivograph.flow(frames, outputs=["flow_index", "contrast"])
    assert list(some) == ["contrast", "flow_index"] and list(vivograph.flow(
        frames, outputs="contrast")) == ["contrast"]
    assert len(everything) > 2 and some.metrics == everything.metrics
    for name, values in some.items():
        np.testing.assert_array_equal(values, everything[name])


def test_iterable_of_maps(frames):
    assert set(vivograph.flow(frames, outputs={"contrast", "flow_index"})) == set(
        vivograph.flow(frames, outputs=dict.fromkeys(["contrast", "flow_index"]).keys()))


def test_notices(frames):
    result = vivograph.flow(frames)
    assert any("10 ms" in notice for notice in result.notices) and "10 ms" in repr(result)
    assert not any("10 ms" in notice for notice in vivograph.flow(
        frames, exposure_ms=5).notices)


def test_warnings(frames):
    """What makes the maps likely to be wrong is also a warning, at the line of the caller."""
    def warned(function, *data, **options):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            result = function(*data, **options)
        assert all(entry.category is vivograph.ResultWarning and entry.filename == __file__
                   and str(entry.message) in result.notices for entry in found)
        return " ".join(str(entry.message) for entry in found)

    dark = frames - np.float32(2000)
    for function in (vivograph.flow, vivograph.Reusable("flow")):
        for _ in range(2):
            assert "Some samples are negative" in warned(function, dark)
        assert not warned(function, np.abs(dark)) and not warned(function, frames)
    decays = frames.transpose(1, 2, 0).repeat(9, axis=2)
    assert "assuming 0.1 ns" in warned(vivograph.lifetime, decays, backend="cpu")
    assert 'axes="YXT"' in warned(vivograph.flow, np.ones((64, 64, 5), np.uint16))


def test_no_maps(frames):
    nothing = vivograph.flow(frames, outputs=[])
    assert not nothing and nothing.metrics and nothing.frames == list(range(6))


def test_unknown_map(frames):
    with pytest.raises(vivograph.UsageError, match="no map 'contrast_'; did you mean contrast"):
        vivograph.flow(frames, outputs=["contrast_"])


def test_text_is_no_map():
    with pytest.raises(vivograph.UsageError, match="no map"):
        vivograph.fluence(photons=1000, outputs=[next(
            output.id for output in vivograph.operations["fluence"].outputs.values()
            if output.kind == "text")])


def set_free(monkeypatch, count):
    class Library:
        @staticmethod
        def vivograph_memory_available():
            return count

    monkeypatch.setattr(_arrays, "lib", Library)
    monkeypatch.setattr(_arrays, "UNCHECKED", 0)


def test_maps_that_do_not_fit(frames, monkeypatch):
    one = frames.size * 4
    n = len(vivograph.flow(frames))
    set_free(monkeypatch, n * one)
    assert len(vivograph.flow(frames)) == n
    set_free(monkeypatch, 2 * one)
    with pytest.raises(vivograph.OutOfMemoryError,
                       match=r"maps of 6 frames need [\d.]+ KiB of memory, but only .*outputs="):
        vivograph.flow(frames)
    set_free(monkeypatch, one)
    assert len(vivograph.flow(frames, outputs="contrast")) == 1
    set_free(monkeypatch, one - 1)
    with pytest.raises(vivograph.OutOfMemoryError):
        vivograph.flow(frames, outputs="contrast")
