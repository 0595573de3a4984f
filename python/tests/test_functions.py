# SPDX-License-Identifier: MIT
"""Functions have the names, defaults, ranges and words of the tables."""

import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import vivograph
from vivograph._functions import make_function
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


def test_ctrl_c_ends_a_preparation():
    """The network of contour takes many seconds for this image before the first step."""
    code = ("import numpy, vivograph, time, os, signal, threading\n"
            "image = numpy.random.default_rng(1).integers(0, 255, (1536, 1536, 3), numpy.uint8)\n"
            "def interrupt():\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "    print(time.process_time(), flush=True)\n"
            "threading.Timer(2, interrupt).start()\n"
            "try:\n"
            "    vivograph.contour(image, backend='cpu')\n"
            "finally:\n"
            "    print(time.process_time())\n")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           timeout=120)
    assert ended.stderr.strip().endswith("KeyboardInterrupt")
    before, after = map(float, ended.stdout.split())
    assert after - before < 2 * (os.cpu_count() or 1)  # time of all threads


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
