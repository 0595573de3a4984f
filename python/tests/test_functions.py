# SPDX-License-Identifier: MIT
"""Functions have the names, defaults, ranges and words of the tables."""

import inspect
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import vivograph
from vivograph import _functions, _work
from vivograph._functions import make_function
from vivograph._library import lib
from vivograph._stubs import make_stub


@pytest.mark.parametrize("name", vivograph.operations)
def test_documented(name):
    function, operation = getattr(vivograph, name), vivograph.operations[name]
    signature = inspect.signature(function)
    for parameter in operation.parameters.values():
        assert signature.parameters[parameter.id].default == parameter.default
        assert parameter.help.split()[0] in function.__doc__ and parameter.id in function.__doc__
    assert operation.citation in function.__doc__


@pytest.mark.parametrize("name", vivograph.operations)
def test_defaults_are_defaults(name):
    """The defaults of the signature, where they are texts or numbers, are accepted as values."""
    operation = vivograph.operations[name]
    given = {parameter.id: parameter.default for parameter in operation.parameters.values()}
    image = {"flow": np.ones((30, 40, 50), "u2"), "lifetime": np.ones((6, 6, 16), "u2"),
             "perfusion": np.ones((9, 6, 6), "f4"), "contour": np.ones((40, 40), "u1")}.get(name)
    if name == "fluence":
        given["photons"] = 1000
    try:
        getattr(vivograph, name)(*([] if image is None else [image]), **given)
    except (vivograph.InputError, vivograph.FailedError):
        pass  # these data have no nuclei, or no bolus


def test_types_are_up_to_date():
    """Editors and type checkers know the tables."""
    written = Path(vivograph.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    assert written == make_stub(), "run scripts/update-docs"


def test_napari_manifest():
    """Each operation has a command and a widget."""
    text = Path(vivograph.__file__).with_name("napari.yaml").read_text(encoding="utf-8")
    for name in vivograph.operations:
        assert f"vivograph._napari:{name}" in text and f"command: vivograph.{name}" in text


def test_ctrl_c_ends_a_run():
    code = "import vivograph; print('begins', flush=True); vivograph.fluence(photons=1e12)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=120)[1]


def interrupt():
    """As Ctrl+C, which the main thread handles."""
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def time_preparation(image, limit):
    """Time of the processor, in s, that the network of contour takes before the first step, and the
    status.  Ctrl+C comes when LIMIT of it has passed."""
    work = _work.Work(_functions._Settings(vivograph.operations["contour"], {"backend": "cpu"}))
    prepare, ended, status, begin = work.prepare, threading.Event(), [], time.process_time()

    def watched(data):
        status.append(prepare(data))
        ended.set()
        return status[0]

    def watch():
        while not ended.wait(0.005):
            if time.process_time() - begin > limit:
                interrupt()
                return

    work.prepare = watched
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work.start(image, "YXC", {}, None)
    except KeyboardInterrupt:
        assert ended.is_set()  # nothing computes any more
    finally:
        ended.set()
        watcher.join()
    return time.process_time() - begin, status[0]


def test_ctrl_c_ends_a_preparation(noise):
    image = noise.integers(0, 255, (320, 320, 3), dtype=np.uint8)
    whole, status = time_preparation(image, float("inf"))
    assert status == lib.VIVOGRAPH_OK
    part, status = time_preparation(image, 0.1 * whole)
    assert status == lib.VIVOGRAPH_ERROR_CANCELLED and part < 0.7 * whole


@pytest.fixture
def compute(monkeypatch):
    """A Reusable that prepares on another thread, and data for it."""
    monkeypatch.setattr(_work, "AT_ONCE", 0)
    y, x = np.mgrid[:40, :52]
    disc = (x % 26 - 13) ** 2 + (y % 20 - 10) ** 2 < 50
    image = np.where(disc, 70, 220).astype(np.uint8)
    compute = vivograph.Reusable("contour", seeding="log", force="classical", iterations=5,
                                 backend="cpu")
    compute(image)
    return lambda: compute(image), compute._work


def test_late_ctrl_c_ends_no_other_call(compute, monkeypatch):
    """One that comes when the preparation has just ended."""
    call, work = compute
    expected, prepare = call(), work.prepare

    def interrupted(data):
        status = prepare(data)
        interrupt()
        time.sleep(0.3)
        return status

    monkeypatch.setattr(work, "prepare", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call()
    monkeypatch.undo()
    result = call()
    assert list(result) == list(expected)
    for name, values in expected.items():
        np.testing.assert_array_equal(result[name], values, name)


def test_ctrl_c_while_the_thread_begins(compute, monkeypatch):
    """The call ends when nothing computes any more."""
    call, work = compute
    prepare, ended = work.prepare, threading.Event()

    def slow(data):
        time.sleep(0.3)
        status = prepare(data)
        ended.set()
        return status

    class Thread(threading.Thread):
        def start(self):
            super().start()
            time.sleep(0.1)
            raise KeyboardInterrupt

    monkeypatch.setattr(work, "prepare", slow)
    monkeypatch.setattr(_work.threading, "Thread", Thread)
    with pytest.raises(KeyboardInterrupt):
        call()
    assert ended.is_set()


def test_ctrl_c_before_the_thread_begins(compute, monkeypatch):
    call, work = compute
    begun = []

    class Thread(threading.Thread):
        def start(self):
            self.join = None
            begun.append(self)
            raise KeyboardInterrupt

    monkeypatch.setattr(_work.threading, "Thread", Thread)
    with pytest.raises(KeyboardInterrupt):
        call()
    monkeypatch.undo()
    prepared = []
    monkeypatch.setattr(work, "prepare", prepared.append)
    begun[0].run()  # the system starts it after all
    assert prepared == []


def test_forked_process_says_so():
    vivograph.flow(np.ones((9, 9), np.uint8))
    child = os.fork()
    if child == 0:
        try:
            vivograph.flow(np.ones((9, 9), np.uint8))
        except vivograph.UsageError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_earlier_calls_change_nothing(noise):
    """A function remembers settings and what follows from them; a new function has no memory."""
    frames = noise.integers(100, 4000, (4, 12, 15), dtype=np.uint16)
    calls = [(frames, {}), (frames[0], {}), (frames, {"method": "temporal", "frames": 3}),
             (frames, {"method": "temporal", "frames": 2}), (frames.astype(np.float32), {}),
             (frames[:, :9], {}), (frames, {"exposure_ms": 5.0}), (frames, {"exposure_ms": 5}),
             (frames, {"outputs": ["contrast"]}), (frames, {"outputs": "flow_index"}),
             (frames, {"times_s": [0, 1, 2, 3]}), (frames, {"times_s": [0, 2, 4, 6]})]
    for data, settings in 2 * calls:
        expected = make_function(vivograph.operations["flow"])(data, **settings)
        result = vivograph.flow(data, **settings)
        assert list(result) == list(expected) and result.parameters == expected.parameters
        assert result.units == expected.units and result.times_s == expected.times_s
        for name, values in expected.items():
            np.testing.assert_array_equal(result[name], values, name)
        with pytest.raises(vivograph.Error):
            vivograph.flow(data, **settings, radius=99)
        with pytest.raises(vivograph.InputError):
            vivograph.flow(data[:0], **settings)


def test_results_share_no_memory():
    first = vivograph.flow(np.full((9, 9), 7, np.uint8))
    kept = {name: values.copy() for name, values in first.items()}
    second = vivograph.flow(np.arange(81, dtype=np.uint8).reshape(9, 9))
    for name, values in first.items():
        assert not np.shares_memory(values, second[name])
        np.testing.assert_array_equal(values, kept[name])
    first.parameters["radius"] = "changed"
    assert vivograph.flow(np.ones((9, 9), np.uint8)).parameters["radius"] != "changed"
