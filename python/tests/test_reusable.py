# SPDX-License-Identifier: MIT
"""An operation that is used again gives what its function gives, whatever came before."""

import gc

import numpy as np
import pytest
import vivograph

SETTINGS = {"lifetime": {"axes": "BYX", "bin_width_ns": 0.05}, "flow": {"method": "temporal"},
            "perfusion": {"artery": "rect:0,0,2,2", "portal": "rect:4,0,6,2",
                          "frame_interval_s": 2},
            "contour": {"iterations": 5}}


def make(name, noise, size):
    if name == "contour":
        return noise.integers(0, 255, (size, size), dtype=np.uint8)
    return noise.poisson(50, (40, size, size + 3)).astype(np.uint16)


@pytest.mark.parametrize("name", SETTINGS)
def test_same_as_function(noise, name):
    compute = vivograph.Reusable(name, **SETTINGS[name])
    results = []
    for size in (40, 40, 30, 40):
        samples = make(name, noise, size)
        expected = getattr(vivograph, name)(samples, **SETTINGS[name])
        result = compute(samples)
        assert list(result) == list(expected) and result.parameters == expected.parameters
        results.append((result, expected))
    for result, expected in results:  # a later call changes no earlier result
        for title, values in expected.items():
            np.testing.assert_array_equal(result[title], values, title)


def test_after_error(noise):
    compute = vivograph.Reusable("lifetime", **SETTINGS["lifetime"])
    samples = make("lifetime", noise, 32)
    first = compute(samples)["lifetime"].copy()
    with pytest.raises(vivograph.InputError):
        compute(samples[:0])
    with pytest.raises(vivograph.InputError):
        compute(samples[0])
    np.testing.assert_array_equal(compute(samples)["lifetime"], first)


def test_simulation():
    compute = vivograph.Reusable("fluence", photons=2000)
    expected = vivograph.fluence(photons=2000)
    for _ in range(2):
        np.testing.assert_array_equal(compute()["fluence"], expected["fluence"])
    with pytest.raises(vivograph.UsageError):
        vivograph.Reusable("weather")
    with pytest.raises(vivograph.UsageError):
        vivograph.Reusable("flow")(None)


def test_empty(noise):
    samples = make("lifetime", noise, 32)
    own = vivograph.empty(samples.shape, samples.dtype)
    own[...] = samples
    np.testing.assert_array_equal(vivograph.lifetime(own, **SETTINGS["lifetime"])["lifetime"],
                                  vivograph.lifetime(samples, **SETTINGS["lifetime"])["lifetime"])
    part = vivograph.empty(7, np.float64)[2:5]
    gc.collect()
    others = [vivograph.empty(7, np.float64) for _ in range(3)]
    part[:] = 1
    for other in others:
        other[:] = 2
    assert part.tolist() == [1, 1, 1]  # its memory was not given away
    assert vivograph.empty((0, 3)).shape == (0, 3)
    assert vivograph.empty((), np.int8).shape == ()


def test_axes_are_packed(noise):
    samples = make("lifetime", noise, 32)
    expected = vivograph.lifetime(samples, **SETTINGS["lifetime"])["lifetime"]
    for axes in ("YXB", "XYB", "YBX", "XBY"):
        order = ["BYX".index(letter) for letter in axes]
        turned = np.ascontiguousarray(samples.transpose(order))
        found = vivograph.lifetime(turned, axes=axes, bin_width_ns=0.05)["lifetime"]
        np.testing.assert_array_equal(found, expected, axes)
