# SPDX-License-Identifier: MIT
"""Arrays on a GPU stay there: the samples of the host's array, and no copy through the host."""

import os

import numpy as np
import pytest
import vivograph

cupy = pytest.importorskip("cupy")
try:
    cupy.cuda.runtime.getDeviceCount()
except cupy.cuda.runtime.CUDARuntimeError:
    pytest.skip("there is no GPU", allow_module_level=True)


@pytest.fixture
def copies(monkeypatch):
    """Counts what passes through the host."""
    found = []
    monkeypatch.setattr(vivograph._arrays, "_to_host",
                        lambda array: found.append(array) or getattr(array, "get", lambda: array)())
    monkeypatch.setattr(vivograph._work, "_empty_on_host",
                        lambda shape: found.append(shape) or np.empty(shape, np.float32))
    return found


@pytest.mark.parametrize("name, shape, settings", [
    ("flow", (6, 120, 160), {"method": "spatial"}),
    ("flow", (6, 120, 160), {"method": "temporal", "frames": 4}),
    ("lifetime", (2, 64, 40, 48), {"axes": "TBYX", "bin_width_ns": 0.2})])
def test_no_host_copy(copies, name, shape, settings):
    noise = np.random.default_rng(1)
    samples = noise.integers(1, 200, shape, dtype=np.uint16)
    compute = getattr(vivograph, name)
    expected = compute(samples, backend="cuda", **settings)
    copies.clear()
    result = compute(cupy.asarray(samples), backend="cuda", **settings)
    assert not copies
    for title, values in result.items():
        assert isinstance(values, cupy.ndarray)
        np.testing.assert_array_equal(values.get(), expected[title], title)


def test_torch():
    torch = pytest.importorskip("torch")
    samples = np.random.default_rng(1).integers(1, 200, (2, 60, 80), dtype=np.uint8)
    result = vivograph.flow(torch.asarray(samples, device="cuda"), backend="cuda")
    assert result["contrast"].is_cuda
    np.testing.assert_array_equal(result["contrast"].cpu().numpy(),
                                  vivograph.flow(samples, backend="cuda")["contrast"])


def test_others_are_copied():
    samples = cupy.asarray(np.random.default_rng(1).integers(1, 200, (3, 60, 80), dtype=np.uint16))
    on_cpu = vivograph.flow(samples, backend="cpu")
    strided = vivograph.flow(samples[:, ::2], backend="cuda")
    assert isinstance(on_cpu["contrast"], np.ndarray)
    assert isinstance(strided["contrast"], np.ndarray)


def test_forked_process_says_so():
    """The driver does not work in a child; the child learns it before the driver is called."""
    samples = np.ones((9, 9), np.uint8)
    vivograph.flow(samples, backend="cuda")
    child = os.fork()
    if child == 0:
        try:
            vivograph.empty((9, 9), np.uint8)[...] = 1
            vivograph.flow(samples, backend="cuda")
        except vivograph.UsageError as error:
            os._exit(7 if "forked" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
