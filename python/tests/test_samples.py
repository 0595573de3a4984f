# SPDX-License-Identifier: MIT
"""Functions give the samples that `vivograph run` writes."""

import numpy as np
import pytest
import vivograph


def compare(result, written):
    assert set(result) == set(written)
    for name, values in result.items():
        expected = written[name].reshape(values.shape)
        if expected.dtype.kind != "f":  # labels
            values = np.nan_to_num(values)
        np.testing.assert_array_equal(values, expected, name)


def decays(noise):
    times = np.arange(64).reshape(64, 1, 1) * 0.2
    lifetimes = np.linspace(1, 4, 24 * 20).reshape(1, 20, 24)
    return noise.poisson(300 * np.exp(-times / lifetimes)).astype(np.uint16)


@pytest.mark.parametrize("settings", [
    {"method": "spatial", "exposure_ms": 5}, {"method": "temporal", "frames": 4},
    {"method": "spatio_temporal", "frames": 3, "average": 2}])
def test_flow(program, noise, settings):
    frames = noise.integers(100, 4000, (8, 32, 40), dtype=np.uint16)
    compare(vivograph.flow(frames, backend="cpu", **settings),
            program.run("flow", frames, settings))


@pytest.mark.parametrize("method", vivograph.operations["lifetime"].parameters["method"].choices)
def test_lifetime(program, noise, method):
    counts, settings = decays(noise), {"method": method, "bin_width_ns": 0.2}
    compare(vivograph.lifetime(counts, axes="BYX", backend="cpu", **settings),
            program.run("lifetime", counts, settings, "--pages", "bins"))


@pytest.mark.parametrize("model", vivograph.operations["perfusion"].parameters["model"].choices)
def test_perfusion(program, noise, model):
    times = np.arange(24).reshape(24, 1, 1)
    series = (200 + 20 * np.clip(times - 4, 0, 8) + noise.normal(0, 3, (24, 16, 20))).astype("f4")
    settings = {"frame_interval_s": 2, "artery": "rect:0,0,6,6", "model": model}
    compare(vivograph.perfusion(series, backend="cpu", **settings),
            program.run("perfusion", series, settings, "--pages", "frames"))


def test_contour(program, noise):
    y, x = np.mgrid[:64, :80]
    disc = (x % 26 - 13) ** 2 + (y % 26 - 13) ** 2 < 64
    image = (np.where(disc, 70, 220) + noise.integers(0, 20, disc.shape)).astype(np.uint8)
    result = vivograph.contour(image, backend="cpu")
    compare(result, program.run("contour", image, {}))
    assert result.texts["objects"] == (program.folder / "maps" / "objects.csv").read_text()
    assert result.metrics["seeds"].value == 9


def test_fluence(program):
    settings = {"photons": 5000, "layers": "skin_600nm", "beam": "flat"}
    compare(vivograph.fluence(backend="cpu", **settings), program.run("fluence", None, settings))


def choices(name):
    return [(parameter.id, choice) for parameter in vivograph.operations[name].parameters.values()
            for choice in parameter.choices if choice != parameter.default]


def small_data(name):
    """Samples, settings of both, and options of the command line that say what the pages are."""
    noise = np.random.default_rng(1)
    if name == "flow":
        return noise.integers(100, 4000, (8, 32, 40), dtype=np.uint16), {"frames": 4}, {}, ()
    if name == "lifetime":
        return decays(noise)[:, :8, :10], {"bin_width_ns": 0.2}, {"axes": "BYX"}, (
            "--pages", "bins")
    if name == "perfusion":
        times = np.arange(16).reshape(16, 1, 1)
        series = 200 + 20 * np.clip(times - 4, 0, 8) + noise.normal(0, 3, (16, 8, 10))
        return series.astype("f4"), {"frame_interval_s": 2, "artery": "rect:0,0,6,6"}, {}, (
            "--pages", "frames")
    if name == "fluence":
        return None, {"photons": 500}, {}, ()
    y, x = np.mgrid[:40, :52]
    disc = (x % 26 - 13) ** 2 + (y % 20 - 10) ** 2 < 50
    return np.where(disc, 70, 220).astype(np.uint8), {}, {}, ()


def study_of_choices(name):
    """The study whose rows are the choices of an operation."""
    data, settings, _, reading = small_data(name)
    return (name, data, [{**settings, parameter: choice} for parameter, choice in choices(name)],
            *reading)


EVERY = [(name, i) for name in vivograph.operations for i in range(len(choices(name)))]


@pytest.mark.parametrize("name, i", EVERY, ids=["-".join((name, *choices(name)[i]))
                                                for name, i in EVERY])
def test_every_choice(studies, name, i):
    """Each choice that is not the default: the same samples, or both refuse it."""
    written = studies(name, study_of_choices)[i]
    data, settings, options, _ = small_data(name)
    parameter, choice = choices(name)[i]
    settings[parameter] = choice
    try:
        result = getattr(vivograph, name)(*([] if data is None else [data]), backend="cpu",
                                          **settings, **options)
    except vivograph.Error as error:
        assert written is None, error
        return
    assert written is not None
    compare(result, written)
