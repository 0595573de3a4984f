# SPDX-License-Identifier: MIT
"""Coordinates of an array describe its data; what was found stands in the result."""

import numpy as np
import pytest
import vivograph


class Coordinate:
    """As much of an xarray coordinate as is read."""

    def __init__(self, values, units=None):
        self.values, self.attrs = np.asarray(values), {} if units is None else {"units": units}


class Labelled:
    """As much of an xarray.DataArray as is read."""

    def __init__(self, values, dims, coords):
        self.values, self.dims, self.coords = values, dims, coords
        self.shape, self.ndim = values.shape, values.ndim

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_times(noise):
    frames, times = noise.poisson(900, (4, 16, 20)).astype("u2"), [0, .5, 1.5, 4]
    for coordinate in (Coordinate(times, "s"), Coordinate(np.multiply(times, 1000), "ms"),
                       Coordinate((np.multiply(times, 1000)).astype("m8[ms]")),
                       Coordinate(np.datetime64("2026-01-01") +
                                  (np.multiply(times, 1000)).astype("m8[ms]"))):
        array = Labelled(frames, ("time", "y", "x"), {"time": coordinate})
        assert vivograph.flow(array, backend="cpu").times_s == times
        assert vivograph.flow(array, frame_interval_s=2, backend="cpu").times_s == [0, 2, 4, 6]
    # the interval is known, so a baseline of one second has as many maps
    many, half = noise.poisson(900, (9, 16, 20)).astype("u2"), np.arange(9) / 2
    same = [vivograph.flow(many, backend="cpu", **given)
            for given in ({"times_s": half}, {"frame_interval_s": 0.5})]
    assert np.array_equal(same[0]["relative_flow"], same[1]["relative_flow"], equal_nan=True)
    assert same[0].metrics["baseline_maps"].value == same[1].metrics["baseline_maps"].value == 2
    array = Labelled(frames, ("time", "y", "x"), {"time": Coordinate(range(4))})
    assert vivograph.flow(array, backend="cpu").times_s is None  # an index has no unit


def test_bins_and_pixels(noise):
    counts = noise.poisson(300 * np.exp(-np.arange(32) * .05)[:, None, None],
                           (32, 6, 7)).astype("u2")
    array = Labelled(counts, ("H", "y", "x"), {"H": Coordinate(np.arange(32) * 50, "ps"),
                                               "x": Coordinate(np.arange(7) * .5, "um"),
                                               "y": Coordinate(np.arange(6) * -.002, "mm")})
    result = vivograph.lifetime(array, backend="cpu")
    expected = vivograph.lifetime(counts, axes="BYX", bin_width_ns=.05, backend="cpu")
    np.testing.assert_array_equal(result["lifetime"], expected["lifetime"])
    assert float(result.parameters["bin_width_ns"]) == pytest.approx(.05)
    assert result._planes["lifetime"]["pixel_size"] == pytest.approx((.5, 2))


def test_unknown_times(noise):
    """Without times and interval the coordinate is the number of the frame."""
    xarray = pytest.importorskip("xarray")
    frames = noise.poisson(900, (4, 16, 20)).astype("u2")
    for frames_of, given, times, unit in ((frames, {}, None, "frame"),
                                          (frames, {"frame_interval_s": .5}, [0, .5, 1, 1.5], "s"),
                                          (frames[:1], {"frame_interval_s": .5}, [0], "s"),
                                          (frames, {"times_s": [0, 1, 3, 9]}, [0, 1, 3, 9], "s")):
        result = vivograph.flow(frames_of, backend="cpu", **given)
        assert result.times_s == times
        axis = result.to_xarray()["t"]
        assert isinstance(result.to_xarray(), xarray.Dataset) and axis.attrs["units"] == unit
        assert axis.values.tolist() == (result.frames if times is None else times)


def test_bin_width_of_irf(noise):
    """An IRF of other bins than the data: its coordinate gives its bin width, else a notice says
    which is used."""
    times = (np.arange(128) + .5) * .05
    decay = np.where(times > 1, np.exp(-(times - 1) / 2), 0)
    counts = noise.poisson(3000 * decay, (3, 3, 128)).astype("u2")
    irf = np.zeros(64, np.float32)
    irf[9:11] = 5  # around 1 ns, in bins of 0.1 ns
    labelled = Labelled(irf, ("bin",), {"bin": Coordinate(np.arange(64) * 100, "ps")})
    common = {"bin_width_ns": .05, "period_ns": 12.5, "method": "mle", "backend": "cpu"}
    known, unknown, same = (vivograph.lifetime(counts, irf=given, **common)
                            for given in (labelled, irf, np.repeat(irf, 2)))
    assert known.metrics["irf_time_ns"].value == pytest.approx(1)
    np.testing.assert_allclose(known["lifetime"], same["lifetime"], rtol=1e-3)
    said = "The IRF has 64 time bins and no bin width, and the data have 128 time bins."
    assert said in " ".join(unknown.notices)
    assert said not in " ".join(known.notices + same.notices)


def test_found_values_are_shown(noise):
    counts = noise.poisson(300 * np.exp(-np.arange(32) * .1), (6, 6, 32)).astype("u2")
    result = vivograph.lifetime(counts, backend="cpu")
    assert float(result.parameters["bin_width_ns"]) == pytest.approx(.1)  # assumed
    assert float(result.parameters["period_ns"]) == pytest.approx(3.2)
    with pytest.raises(vivograph.UsageError, match="smallest is 1e-06 ns"):
        vivograph.lifetime(counts, bin_width_ns=1e-9, backend="cpu")


def test_significant_bits(noise):
    frame = np.full((16, 16), 4095, np.uint16)
    frame[:8] = noise.integers(900, 1100, (8, 16))
    name = "saturated_percent"
    assert vivograph.flow(frame, backend="cpu").metrics[name].value == 0
    used = vivograph.flow(frame, significant_bits=12, backend="cpu").metrics[name].value
    assert used == pytest.approx(50)
    with pytest.raises(vivograph.InputError, match="17 significant bits"):
        vivograph.flow(frame, significant_bits=17, backend="cpu")


def test_labels_are_integers():
    y, x = np.mgrid[:48, :52]
    image = np.where((x % 26 - 13) ** 2 + (y % 24 - 12) ** 2 < 60, 70, 220).astype(np.uint8)
    labels = vivograph.contour(image, backend="cpu")["labels"]
    assert labels.dtype == np.int32 and set(np.unique(labels)) == {0, 1, 2, 3, 4}


def test_hints(noise, tmp_path):
    frames = noise.poisson(900, (16, 12, 14)).astype("u2")
    listed = vivograph.flow(frames, exposures=[1, 2, 5, 10], cycles=2, backend="cpu")
    assert listed.parameters["exposures"] == "1;2;5;10"
    with pytest.raises(KeyError, match=r"result\['contrast'\]"):
        listed["contrasst"]
    with pytest.raises(KeyError, match=r"result.metrics\['saturated_percent'\]"):
        listed["saturated_percent"]
    with pytest.raises(TypeError, match="give an array"):
        vivograph.flow(tmp_path / "frames.tif")
    with pytest.raises(vivograph.InputError, match="^dark_file: "):
        vivograph.flow(frames, dark_file=tmp_path / "none.tif")
    with pytest.raises(vivograph.UsageError, match="did you mean"):
        vivograph.flow(frames, method="temporel")
    with pytest.raises(TypeError, match="significant_bits"):
        vivograph.flow(frames, significant_bits="x")
