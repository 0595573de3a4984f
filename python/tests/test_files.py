# SPDX-License-Identifier: MIT
"""What a parameter names as a file may be given as an array: the same maps come of both."""

import json
import struct

import numpy as np
import pytest
import vivograph


def write_nifti(path, volume):
    """VOLUME, of bytes, with the axes ZYX."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *volume.shape[::-1], 1, 1, 1, 1)
    struct.pack_into("<hh", header, 70, 2, 8)
    struct.pack_into("<8f", header, 76, *[1] * 8)
    struct.pack_into("<f", header, 108, 352)
    header[344:348] = b"n+1\0"
    path.write_bytes(bytes(header) + volume.astype(np.uint8).tobytes())


def same(first, second):
    assert list(first) == list(second)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], name)


@pytest.fixture
def volume(noise):
    times = np.arange(24).reshape(24, 1, 1, 1)
    fall = np.exp(-np.clip(times - 4, 0, 99) / 8) * (times > 4)
    return (200 + 60 * fall * noise.uniform(.5, 1.5, (3, 12, 10))
            + noise.normal(0, 1, (24, 3, 12, 10))).astype("f4")


def test_masks(volume, noise, tmp_path):
    artery = np.zeros((3, 12, 10), bool)
    artery[1, 2:5, 3:6] = True
    liver = noise.random((3, 12, 10)) > .4
    for name, mask in (("artery", artery), ("liver", liver)):
        write_nifti(tmp_path / f"{name}.nii", mask)
    common = {"frame_interval_s": 2, "backend": "cpu", "threads": 2}
    by_path = vivograph.perfusion(volume, artery=tmp_path / "artery.nii",
                                  mask=tmp_path / "liver.nii", **common)
    by_array = vivograph.perfusion(volume, artery=artery, mask=liver, **common)
    same(by_path, by_array)
    assert by_array.parameters["artery"] == by_array.parameters["mask"] == "(array)"
    assert np.isnan(by_array["ka"][~liver]).all() and np.isfinite(by_array["ka"]).any()
    for other in (artery.astype("f8"), artery.astype("i8"), np.asfortranarray(artery)):
        same(by_array, vivograph.perfusion(volume, artery=other, mask=liver, **common))
    turned = vivograph.perfusion(volume.T, artery=artery.T, mask=liver.T, axes="XYZT", **common)
    same(by_array, turned)
    same(vivograph.perfusion(volume, artery=artery, **common),
         vivograph.Reusable("perfusion", artery=artery, **common)(volume))


def test_tables(volume, tmp_path):
    times = np.arange(24) * 2.0
    artery = np.column_stack([times, np.where(times > 8, 3 * np.exp(-times / 20), 0)])
    np.savetxt(tmp_path / "artery.csv", artery, delimiter=",", fmt="%.17g")
    np.savetxt(tmp_path / "times.txt", times, fmt="%.17g")
    by_path = vivograph.perfusion(volume, artery=tmp_path / "artery.csv",
                                  times_file=tmp_path / "times.txt", backend="cpu")
    same(by_path, vivograph.perfusion(volume, artery=artery, times_file=times, backend="cpu"))
    same(by_path, vivograph.perfusion(volume, artery=artery.tolist(), times_s=times,
                                      backend="cpu"))
    same(by_path, vivograph.perfusion(volume, input_tables=[tmp_path / "artery.csv"],
                                      times_s=times, backend="cpu"))


def test_portal_vein_and_t1(volume):
    inside = np.zeros((3, 12, 10), np.uint8)
    inside[0, :3, :3] = 1
    common = {"frame_interval_s": 2, "backend": "cpu", "inputs": "dual"}
    region = vivograph.perfusion(volume[:, :1], artery="rect:0,0,3,3", portal="rect:5,0,2,2",
                                 **common)
    portal = np.zeros((1, 12, 10), np.uint8)
    portal[0, :2, 5:7] = 1
    same(region, vivograph.perfusion(volume[:, :1], artery=inside[:1], portal=portal, **common))


def test_irf(noise):
    bins = np.arange(64)
    irf = np.round(1000 * np.exp(-((bins - 8) / 1.5) ** 2))
    decay = np.convolve(irf, np.exp(-bins * .1 / 2))[:64]
    counts = noise.poisson(decay[:, None, None] / decay.max() * 300, (64, 9, 7)).astype("u2")
    common = {"axes": "BYX", "bin_width_ns": .1, "method": "mle", "backend": "cpu"}
    with_irf = vivograph.lifetime(counts, irf=irf, **common)
    assert abs(np.nanmedian(with_irf["lifetime"]) - 2) < .1
    image = np.zeros((64, 2, 3), "u4")
    image[:, 1, 1] = irf
    same(with_irf, vivograph.lifetime(counts, irf=image, **common))


def test_dark_frame(noise):
    frames = noise.integers(500, 4000, (4, 20, 24), dtype=np.uint16)
    dark = noise.integers(0, 100, (20, 24)).astype(np.uint16)
    result = vivograph.flow(frames, dark_file=dark, backend="cpu")
    expected = vivograph.flow(frames.astype("f4") - dark, backend="cpu")
    np.testing.assert_allclose(result["contrast"], expected["contrast"], rtol=2e-5)
    same(result, vivograph.flow(frames, dark_file=np.stack([dark, dark]), backend="cpu"))


def test_seeds(tmp_path):
    y, x = np.mgrid[:48, :52]
    image = np.where((x % 26 - 13) ** 2 + (y % 24 - 12) ** 2 < 60, 70, 220).astype(np.uint8)
    labels = np.zeros(image.shape, np.int64)
    labels[11:14, 12:15] = 1
    labels[35:38, 38:41] = 2
    path = tmp_path / "seeds.geojson"
    path.write_text(json.dumps({"type": "MultiPoint", "coordinates": [[13.5, 12.5], [39.5, 36.5]]}))
    result = vivograph.contour(image, seeds=labels, backend="cpu")
    assert result.metrics["seeds"].value == 2
    assert vivograph.contour(image, seeds=path, backend="cpu").metrics["seeds"].value == 2


@pytest.mark.parametrize("given, error", [
    ({"mask": np.ones((5, 5))}, "mask"), ({"mask": np.zeros((12, 10))}, "no voxel"),
    ({"mask": np.ones(4)}, "mask is an array of shape"), ({"mask": True}, "path or an array"),
    ({"mask": [["a", "b"]]}, "U1"), ({"mask": np.ones((0, 10))}, "no samples"),
    ({"artery": [[0, "a"]]}, "could not convert"), ({"mask": ["a", "b"]}, "one file, not 2"),
    ({"artery": np.full((4, 2), np.nan)}, "artery"), ({"mask": 3}, "path or an array")])
def test_wrong_arrays(volume, given, error):
    with pytest.raises((vivograph.Error, TypeError, ValueError), match=error):
        vivograph.perfusion(volume[:, 0], frame_interval_s=2, backend="cpu", **given)


def test_another_array_is_used(noise):
    """Settings are remembered, but not an array among them, even if it is the same object; what is
    kept for many calls is what the array had at first."""
    frames = noise.integers(500, 4000, (2, 20, 24), dtype=np.uint16)
    dark = np.zeros((20, 24), np.uint16)
    kept = []
    for level in (10, 90, 10):
        dark[:] = level
        expected = vivograph.flow(frames - dark, backend="cpu")["contrast"]
        kept.append((vivograph.Reusable("flow", dark_file=dark, backend="cpu"), expected))
        found = vivograph.flow(frames, dark_file=dark, backend="cpu")["contrast"]
        np.testing.assert_allclose(found, expected, rtol=2e-5)
    dark[:] = 400
    for compute, expected in kept + kept:
        np.testing.assert_allclose(compute(frames)["contrast"], expected, rtol=2e-5)
    assert not np.allclose(kept[0][1], kept[1][1], rtol=2e-5)
