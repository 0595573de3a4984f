# SPDX-License-Identifier: MIT
"""What happens to arrays of a GPU when it fails.  The arrays are in fact those of the host."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import vivograph
from vivograph import _arrays, _ready, _work


class GpuArray:
    """As one of CuPy."""

    __module__ = "cupy"

    def __init__(self, values):
        self.values = values
        self.shape = values.shape
        self.device = Device(1)

    @property
    def __cuda_array_interface__(self):
        return self.values.__array_interface__

    def get(self):
        return self.values


class Device:
    current = 0

    def __init__(self, number):
        self.number = number

    def __enter__(self):
        Device.current, self.number = self.number, Device.current

    def __exit__(self, *_):
        Device.current, self.number = self.number, Device.current


class Tensor:
    """As one of PyTorch on a GPU."""

    __module__ = "torch"

    def __init__(self, values, requires_grad):
        self.values, self.requires_grad = values, requires_grad
        self.shape = values.shape

    @property
    def __cuda_array_interface__(self):
        if self.requires_grad:
            raise RuntimeError("detach first")
        return self.values.__array_interface__

    def detach(self):
        return Tensor(self.values, False)

    def cpu(self):
        return SimpleNamespace(numpy=lambda: self.values)


@pytest.fixture
def waited(monkeypatch):
    """The devices whose streams were waited for."""
    found = []
    stream = SimpleNamespace(synchronize=lambda: found.append(Device.current))
    cupy = ModuleType("cupy")
    cupy.float32 = np.float32
    cupy.empty = np.empty
    cupy.cuda = SimpleNamespace(
        get_current_stream=lambda: stream,
        memory=SimpleNamespace(OutOfMemoryError=MemoryError))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return found


@pytest.fixture
def frames(noise):
    return noise.integers(100, 4000, (3, 24, 30), dtype=np.uint16)


def fail_in_steps(monkeypatch, error, fails):
    """Lets runs start although their samples are "on the GPU"; step N raises if FAILS (N)."""
    original, steps, describe = _work.Work.step, [], _arrays.describe

    def step(work):
        steps.append(work)
        if fails(len(steps)):
            raise error
        return original(work)

    def describe_as_host(*given):
        data, kept = describe(*given)
        data.device = 0
        return data, kept

    def gather(ready, work, *given, original=_ready.Ready.gather):
        if fails(len(steps) + 1):
            raise error
        return original(ready, work, *given)

    monkeypatch.setattr(_work.Work, "step", step)
    monkeypatch.setattr(_ready.Ready, "gather", gather)
    monkeypatch.setattr(_arrays, "describe", describe_as_host)


def test_waits_on_the_device_of_the_array(waited, frames):
    _arrays.OnGpu(GpuArray(frames)).wait()
    assert waited == [1] and Device.current == 0


def test_failure_at_the_start(waited, frames):
    result = vivograph.flow(GpuArray(frames))
    np.testing.assert_array_equal(result["contrast"], vivograph.flow(frames)["contrast"])
    assert "host memory" in " ".join(result.notices)


def test_failure_in_a_step(waited, frames, monkeypatch):
    expected = vivograph.flow(frames)["contrast"]
    fail_in_steps(monkeypatch, vivograph.DeviceError("the GPU is lost"), lambda n: n == 1)
    result = vivograph.flow(GpuArray(frames))
    np.testing.assert_array_equal(result["contrast"], expected)
    assert "the GPU is lost" in " ".join(result.notices)


def test_second_failure_is_an_error(waited, frames, monkeypatch):
    fail_in_steps(monkeypatch, vivograph.DeviceError("the GPU is lost"), lambda n: True)
    with pytest.raises(vivograph.DeviceError, match="lost"):
        vivograph.flow(GpuArray(frames))


def test_full_gpu(waited, frames):
    def refuse(*_):
        raise MemoryError

    sys.modules["cupy"].empty = refuse
    with pytest.raises(vivograph.DeviceError, match="8.4 KiB of GPU memory.*outputs="):
        _arrays.OnGpu(GpuArray(frames)).empty((3, 24, 30))


def test_tensor_with_gradient(frames):
    tensor = Tensor(frames, True)
    result = vivograph.flow(tensor, backend="cpu")
    np.testing.assert_array_equal(result["contrast"], vivograph.flow(frames)["contrast"])
    flow = vivograph.operations["flow"]
    assert _arrays.find_on_gpu(flow, _arrays.without_gradient(tensor), "TYX") is not None
