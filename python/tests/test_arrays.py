# SPDX-License-Identifier: MIT
"""Arrays of any kind: the same maps as of a packed one, or an exception, never a crash."""

import gc
import re
import threading

import numpy as np
import pytest
import vivograph
from vivograph import _arrays


@pytest.fixture
def frames(noise):
    return noise.integers(100, 4000, (3, 24, 30), dtype=np.uint16)


@pytest.fixture
def expected(frames):
    return vivograph.flow(frames)["contrast"]


@pytest.mark.parametrize("change", [
    np.asfortranarray, lambda a: a[::-1][::-1], lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
    lambda a: a[:, ::-1].copy()[:, ::-1], lambda a: a.astype(">u2"), lambda a: a.astype(np.int16)])
def test_layouts(frames, expected, change):
    np.testing.assert_array_equal(vivograph.flow(change(frames))["contrast"], expected)


@pytest.mark.parametrize("dtype", ["i4", "i8", "u8", "f2", "f8", "f4", "u4", ">f8", bool])
def test_types(frames, expected, dtype):
    contrast = vivograph.flow((frames % 2000).astype(dtype))["contrast"]
    if dtype is not bool:
        np.testing.assert_allclose(contrast, vivograph.flow(frames % 2000)["contrast"], rtol=1e-4)


def test_masked_arrays(frames):
    masked = np.ma.masked_array(frames, np.zeros(frames.shape, bool))
    masked[:, 5, 5] = np.ma.masked
    with pytest.raises(vivograph.InputError, match="not numbers"):
        vivograph.flow(masked)


def test_axes(frames, expected):
    turned = vivograph.flow(frames.transpose(2, 1, 0), axes="XYT")
    np.testing.assert_array_equal(turned["contrast"], expected)
    one = vivograph.flow(frames[0])
    assert one["contrast"].shape == (24, 30)
    np.testing.assert_array_equal(one["contrast"], expected[0])


def test_read_only_and_unaligned(frames, expected):
    frames.setflags(write=False)
    np.testing.assert_array_equal(vivograph.flow(frames)["contrast"], expected)
    memory = np.zeros(frames.nbytes + 1, np.uint8)
    memory[1:] = frames.view(np.uint8).ravel()
    unaligned = memory[1:].view(np.uint16).reshape(frames.shape)
    np.testing.assert_array_equal(vivograph.flow(unaligned)["contrast"], expected)


def test_broadcast():
    flat = vivograph.flow(np.broadcast_to(np.uint16(7), (2, 24, 30)))
    assert flat["contrast"].shape == (2, 24, 30)


def test_missing_values(frames):
    samples = frames.astype(np.float32)
    samples[:, 5, 5] = np.nan
    with pytest.raises(vivograph.InputError, match="not numbers"):
        vivograph.flow(samples)
    for values in (samples, np.full_like(samples, np.nan)):
        contrast = vivograph.flow(values, nonfinite="mask")["contrast"]
        assert np.isnan(contrast[:, 5, 5]).all() and contrast.shape == frames.shape


def test_freed_early(frames, expected):
    result = vivograph.flow(frames.copy())
    del frames
    gc.collect()
    np.testing.assert_array_equal(result["contrast"], expected)


@pytest.mark.parametrize("data, options, exception", [
    (np.zeros((0, 4), np.uint8), {}, vivograph.InputError),
    (np.zeros(9, np.uint8), {}, vivograph.InputError),
    (np.zeros((2, 2, 2, 2, 2), np.uint8), {}, vivograph.InputError),
    (np.zeros((2, 9, 9), np.uint8), {"axes": "TYY"}, vivograph.InputError),
    (np.zeros((2, 9, 9), np.uint8), {"axes": "BYX"}, vivograph.InputError),
    (np.zeros((9, 9), complex), {}, TypeError), (np.array(["a"]), {}, vivograph.InputError),
    (np.array([[None]]), {}, TypeError), (None, {}, vivograph.UsageError),
    (np.full((9, 9), -2 ** 40), {}, vivograph.InputError),
    (np.zeros((2, 9, 9)), {"times_s": [0]}, vivograph.InputError),
    (np.zeros((2, 9, 9)), {"times_s": [1, 0]}, vivograph.InputError),
    (np.zeros((9, 9)), {"pixel_um": float("nan")}, vivograph.InputError),
    (np.zeros((9, 9)), {"raduis": 2}, vivograph.UsageError),
    (np.zeros((9, 9)), {"radius": 99}, vivograph.UsageError),
    (np.zeros((9, 9)), {"radius": float("nan")}, vivograph.UsageError),
    (np.zeros((9, 9)), {"radius": [1]}, TypeError),
    (np.zeros((9, 9)), {"method": 2j}, TypeError),
    (np.zeros((9, 9)), {"method": "sptial"}, vivograph.UsageError),
    (np.zeros((9, 9)), {"backend": "tpu"}, vivograph.UsageError),
    (np.zeros((9, 9)), {"threads": -1}, vivograph.UsageError),
    (np.zeros((2, 9, 9)), {"method": "temporal"}, vivograph.InputError),
    ([[1, 2], [3]], {}, vivograph.InputError), (b"abc", {}, TypeError), ({1: 2}, {}, TypeError),
    (np.zeros((2, 9, 9)), {"times_s": "abc"}, TypeError),
    (np.zeros((9, 9)), {"threads": "2"}, TypeError),
    (np.zeros((9, 9)), {"threads": 2.5}, TypeError),
    (np.zeros((9, 9)), {"threads": 10 ** 10}, vivograph.UsageError),
    (np.zeros((9, 9)), {"outputs": 5}, TypeError), (np.zeros((9, 9)), {"progress": 5}, TypeError),
    (np.zeros((9, 9)), {"significant_bits": 12.5}, TypeError),
    (np.zeros((9, 9)), {"frame_interval_s": -1}, vivograph.InputError)])
def test_refused(data, options, exception):
    with pytest.raises(exception) as raised:
        vivograph.flow(data, **options)
    assert len(str(raised.value)) > 10
    for name in options:  # the message says which argument is wrong
        said = {"method": "", "times_s": "times", "pixel_um": "pixel"}.get(name, name)
        assert said in str(raised.value), raised.value


def test_lists(frames, expected):
    """What numpy makes an array of, also if the function has an idle work; axes one by one."""
    for data in (frames.tolist(), memoryview(frames)):
        np.testing.assert_allclose(vivograph.flow(data)["contrast"], expected, rtol=1e-6)
    np.testing.assert_array_equal(vivograph.flow(frames, axes=("T", "Y", "X"))["contrast"],
                                  expected)


def test_threads(frames, expected):
    results = [None] * 8

    def compute(i):
        results[i] = vivograph.flow(frames, threads=1 + i % 2)["contrast"]

    threads = [threading.Thread(target=compute, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, expected)


class OnGpu:
    """An array on a GPU that cannot be copied."""

    def __init__(self, array):
        self.array, self.shape, self.__cuda_array_interface__ = array, array.shape, {}


class LikeCupy(OnGpu):
    def get(self):
        return self.array


class Exchanged:
    """An array of a library that knows DLPack alone."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("kind", [LikeCupy, Exchanged])
def test_arrays_of_other_libraries(frames, expected, kind):
    np.testing.assert_array_equal(vivograph.flow(kind(frames))["contrast"], expected)


def test_gpu_array_that_cannot_be_copied(frames):
    with pytest.raises(TypeError, match="host memory"):
        vivograph.flow(OnGpu(frames))


def test_progress(frames):
    seen = []
    vivograph.flow(frames, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1

    def interrupt(fraction):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vivograph.fluence(photons=1e9, progress=interrupt)


def test_result(frames):
    result = vivograph.flow(frames, frame_interval_s=0.5, exposure_ms=5)
    assert result.units["correlation_time"] == "ms" and result.parameters["exposure_ms"] == "5"
    assert result.frames == [0, 1, 2] and result.times_s == [0, 0.5, 1]
    assert result.contrast is result["contrast"]
    with pytest.raises(AttributeError):
        result.contrats
    xarray = pytest.importorskip("xarray")
    assert isinstance(result.to_xarray(), xarray.Dataset)


@pytest.mark.parametrize("name, shape, hint", [
    ("flow", (64, 64, 5), "Axis 2 .* looks like the frames, but axis 0 .*axes=\"YXT\""),
    ("flow", (48, 64, 5), "axes=\"YXT\""), ("flow", (5, 64, 64), None),
    ("flow", (60, 60, 64), None), ("flow", (100, 64, 128), None), ("flow", (64, 5), None),
    ("lifetime", (40, 80, 80), "Axis 0 .* looks like the time bins.*axes=\"BYX\""),
    ("lifetime", (20, 20, 40), None),
    ("perfusion", (24, 24, 3, 9), "Axis 3 .* looks like the frames.*axes=\"XYZT\""),
    ("contour", (3, 40, 40), "Axis 0 .* looks like the channels.*axes=\"CYX\""),
    ("contour", (40, 40, 3), None)])
def test_order_of_axes(noise, name, shape, hint):
    """A likely mistake is named, in a notice or in the error, unless the caller names the axes."""
    def said(**options):
        try:
            return " ".join(getattr(vivograph, name)(image, backend="cpu", **options).notices)
        except vivograph.Error as error:
            return str(error)

    image = noise.integers(10, 250, shape, dtype=np.uint8)
    for _ in range(2):
        assert (re.search(hint, said()) if hint else "looks like" not in said()), said()
    usual = _arrays.default_axes(vivograph.operations[name], len(shape))
    assert "looks like" not in said(axes=usual)


def test_bits_of_the_camera(frames):
    """A saturated camera of 12 bits, unless the caller says which samples are saturated."""
    def said(samples, **options):
        return " ".join(vivograph.flow(samples, backend="cpu", **options).notices)

    assert "significant_bits" not in said(frames)
    full = frames.copy()
    full[0, :4, :4] = 4095
    assert "largest value of 12 bits" in said(full) and "significant_bits=12" in said(full)
    result = vivograph.flow(full, backend="cpu", significant_bits=12)
    assert "largest value of" not in " ".join(result.notices)
    assert vivograph.flow(full[0], significant_bits=12).metrics["saturated_percent"].value > 0
    assert "largest value of" not in said(full, saturation_level=4095)
    for other in (full.astype(np.float32), (full >> 4).astype(np.uint8)):
        assert "largest value of" not in said(other)


def test_data_of_a_simulation(frames):
    with pytest.raises(vivograph.UsageError, match="takes no data"):
        vivograph.fluence(frames)
    with pytest.raises(vivograph.InputError, match=r"not known for an array of shape \(3, 24\)"):
        vivograph.lifetime(frames[..., 0])


@pytest.mark.parametrize("name, options, words", [
    ("flow", {"radius": 99}, "radius: .*1 to"), ("flow", {"method": "temporl"}, "did you mean"),
    ("flow", {"exposure": 5}, "did you mean exposure_ms"),
    ("flow", {"dark_file": "no.tif"}, "dark_file: .*no.tif"),
    ("flow", {"exposures": "5;10;15;20", "method": "temporal"},
     "set method to spatial and average"),
    ("flow", {"method": "temporal", "frames": 30}, "3 frames are too few"),
    ("perfusion", {}, "et frame_interval_s or times_file"),
    ("perfusion", {"frame_interval_s": 2, "solver": "paper", "model": "patlak"},
     "set model to compartment")])
def test_words_of_errors(frames, name, options, words):
    """Errors call parameters as the caller does."""
    with pytest.raises(vivograph.Error, match=words) as raised:
        getattr(vivograph, name)(frames, backend="cpu", **options)
    assert not re.search("Frame interval|Method|Spatial|Average", str(raised.value))
