# SPDX-License-Identifier: MIT
"""An operation that is used again gives what its function gives, whatever came before."""

import concurrent.futures
import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
import vivograph
from vivograph._functions import make_function

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


def test_one_thread_at_a_time(noise):
    """A call while another one computes is refused, be it from its own progress."""
    refused = []

    def again(fraction):
        with pytest.raises(vivograph.UsageError, match="computes already"):
            compute(samples)
        refused.append(fraction)

    samples = make("flow", noise, 40)
    compute = vivograph.Reusable("flow", progress=again)
    result = compute(samples)
    assert refused
    np.testing.assert_array_equal(result["contrast"], vivograph.flow(samples)["contrast"])
    compute = vivograph.Reusable("flow", backend="cpu")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = [pool.submit(compute, samples) for _ in range(40)]
    results = [call.result() for call in found if call.exception() is None]
    assert results and all(call.exception() is None or "one for each thread" in str(
        call.exception()) for call in found)
    for one in results:
        np.testing.assert_array_equal(one["contrast"], result["contrast"])


@pytest.mark.parametrize("backend", ["cpu", "auto"])  # auto: the GPU, if there is one
def test_simulation(backend):
    compute = vivograph.Reusable("fluence", photons=2000, backend=backend, threads=2)
    expected = make_function(vivograph.operations["fluence"])(photons=2000, backend=backend,
                                                              threads=2)
    results = [compute() for _ in range(3)]
    results += [vivograph.fluence(photons=2000, backend=backend, threads=2) for _ in range(3)]
    vivograph.fluence(photons=20, nr=7, backend=backend, threads=2)
    for result in [*results, *pickle.loads(pickle.dumps(results))]:
        assert list(result) == list(expected) and result.texts == expected.texts
        assert (result.parameters, result.units, result.device) == (
            expected.parameters, expected.units, expected.device)
        for name, values in expected.items():
            np.testing.assert_array_equal(result[name], values, name)
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


CALLS = {"function": lambda name: lambda data: getattr(vivograph, name)(data, **SETTINGS[name]),
         "reusable": lambda name: vivograph.Reusable(name, **SETTINGS[name])}


def make_layouts(samples):
    """Arrays of the same values in other layouts."""
    wide = np.zeros((*samples.shape[:-1], 2 * samples.shape[-1]), samples.dtype)
    wide[..., ::2] = samples
    locked = samples.copy()
    locked.flags.writeable = False
    return [samples, np.asfortranarray(samples), wide[..., ::2], samples[::-1].copy()[::-1], locked]


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("name", SETTINGS)
def test_layouts_in_turn(noise, name, kind):
    """What is prepared for one layout or type is not used for another."""
    compute, samples = CALLS[kind](name), make(name, noise, 24)
    expected = compute(samples)
    for array in 3 * [*make_layouts(samples), samples.astype(np.float32), samples.astype(int),
                      samples.astype(samples.dtype.newbyteorder())]:
        result = compute(array)
        assert result.units == expected.units and result.frames == expected.frames
        for title, values in expected.items():
            np.testing.assert_array_equal(result[title], values, f"{title} {array.dtype}")


@pytest.mark.parametrize("kind", CALLS)
def test_members_are_of_their_own_run(noise, kind):
    """Members that are read after later calls belong to the call that gave the result, also when
    its data are gone."""
    compute, means = CALLS[kind]("lifetime"), [10, 40, 20, 80]
    results = [compute(np.full((32, 8, 8), mean, np.uint16)) for mean in means]
    gc.collect()
    alone = [make_function(vivograph.operations["lifetime"])(
        np.full((32, 8, 8), mean, np.uint16), **SETTINGS["lifetime"]) for mean in means]
    for result, expected in zip(results, alone):
        np.testing.assert_equal(dict(result.metrics), dict(expected.metrics))
        assert (result.parameters, result.notices, result.texts, result.device) == (
            expected.parameters, expected.notices, expected.texts, expected.device)
        for title, values in expected.items():
            np.testing.assert_array_equal(result[title], values, title)
            assert result[title] is result[title] and result[title].flags.writeable
    assert len({str(result.metrics) for result in results}) > 1


def test_maps_that_begin_later(noise):
    frames = noise.integers(100, 4000, (6, 12, 15), dtype=np.uint16)
    compute = vivograph.Reusable("flow", method="temporal", frames=3, times_s=range(6))
    first = compute(frames)
    for _ in range(2):
        again = compute(frames)
        assert again.frames == first.frames and again.times_s == first.times_s
        for title, values in first.items():
            np.testing.assert_array_equal(again[title], values, title)


@pytest.mark.parametrize("kind", CALLS)
def test_pickle(noise, kind):
    compute, samples = CALLS[kind]("flow"), make("flow", noise, 16)
    for _ in range(3):
        result = compute(samples)
        found, twin = pickle.loads(pickle.dumps(result)), copy.deepcopy(result)
        for other in (found, twin):
            assert (list(other), other.units, other.parameters, other.frames, other.times_s) == (
                list(result), result.units, result.parameters, result.frames, result.times_s)
            np.testing.assert_array_equal(other["contrast"], result["contrast"])
            assert not np.shares_memory(other["contrast"], result["contrast"])
            assert str(other) == str(result)
            with pytest.raises(AttributeError):
                other.nothing


def test_threads_share_idle_works(noise):
    """Many threads call one function with the same settings at the same moment."""
    samples = [make("lifetime", noise, 16) for _ in range(4)]
    expected = [vivograph.lifetime(array, threads=1, **SETTINGS["lifetime"])["lifetime"]
                for array in samples]

    def call(i):
        found = vivograph.lifetime(samples[i % 4], threads=1, **SETTINGS["lifetime"])
        np.testing.assert_array_equal(found["lifetime"], expected[i % 4])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(200)))


def test_work_is_freed_at_once(noise):
    """A Reusable leaves its memory when its last reference goes, without the garbage collector."""
    compute, samples = vivograph.Reusable("lifetime", **SETTINGS["lifetime"]), make(
        "lifetime", noise, 16)
    gc.disable()
    try:
        results = [compute(samples) for _ in range(3)]
        work = weakref.ref(compute._work)
        del compute
        assert work() is None and len(results) == 3
    finally:
        gc.enable()


def test_files_are_read_again(tmp_path, noise):
    """A function reads a file in each call."""
    path, samples = tmp_path / "irf.csv", make("lifetime", noise, 16)
    found = []
    for begin in (1, 3, 1):
        counts = np.zeros(40)
        counts[begin:begin + 2] = 1000
        path.write_text("\n".join(str(int(count)) for count in counts), encoding="utf-8")
        found.append(vivograph.lifetime(samples, irf=str(path), **SETTINGS["lifetime"])["lifetime"])
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(found[0], found[1], equal_nan=True)


@pytest.mark.parametrize("name", ("lifetime", "flow"))
def test_functions_leave_the_array(noise, name):
    """A function keeps nothing of the caller's array, nor of what that is a part of."""
    whole = np.stack([make(name, noise, 16)] * 2)
    gone = weakref.ref(whole)
    for _ in range(3):
        getattr(vivograph, name)(whole[0], threads=1, **SETTINGS[name])
    gc.collect()
    del whole
    assert gone() is None
