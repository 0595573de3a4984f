# SPDX-License-Identifier: MIT
"""Runs an operation once: settings, data, steps, maps."""

import math
import os

import numpy as np

from . import _arrays
from ._library import DeviceError, UsageError, check, ffi, lib, text_of
from ._result import Metric, Result


def _table_text(rows):
    """Rows of numbers as the library reads them."""
    rows = np.atleast_2d(np.asarray(rows, dtype=float))
    return ";".join(",".join(repr(float(value)) for value in row) for row in rows)


def _text_of_value(parameter, value):
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if parameter.kind == "table":
        return _table_text(value)
    if parameter.kind in ("file", "region", "choice"):
        raise TypeError(f"{parameter.id} is {value!r}; give a text")
    return None


FLOATS = ffi.typeof("float *")


class Work:
    """One computation; its memory goes with it.  One thread at a time may use it."""

    def __init__(self, operation, backend, threads):
        self.operation = operation
        self.error = ffi.new("VivographError *")
        made = ffi.new("VivographWork **")
        check(lib.vivograph_work_new(operation.id.encode(), str(backend).encode(), threads, made,
                                     self.error), self.error)
        self.work = ffi.gc(made[0], lib.vivograph_work_free)
        self.room = ffi.new("VivographPlane *")
        self.kept = None

    def check(self, status):
        return check(status, self.error)

    def set(self, parameter, value):
        """Sets a parameter from a number, a text, a path or rows of numbers."""
        name = parameter.id.encode()
        text = _text_of_value(parameter, value)
        if text is None and parameter.kind == "bool" and isinstance(value, (bool, np.bool_)):
            text = "true" if value else "false"
        if text is not None:
            if "\0" in text:
                raise UsageError(f"{parameter.id} holds a character 0")
            self.check(lib.vivograph_work_set_text(self.work, name, text.encode(), self.error))
            return
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise TypeError(f"{parameter.id} is {value!r}; give a number") from None
        self.check(lib.vivograph_work_set_number(self.work, name, number, self.error))

    def start(self, array, letters, scales, times):
        """Gives ARRAY, which is kept until the work ends; None for a simulation."""
        data = ffi.NULL
        if array is not None:
            data, self.kept = _arrays.describe(array, letters, scales, times)
        self.check(lib.vivograph_work_start(self.work, data, self.error))

    def step(self):
        return self.check(lib.vivograph_work_step(self.work, self.error))

    def frame(self):
        return lib.vivograph_work_frame(self.work)

    def progress(self):
        return lib.vivograph_work_progress(self.work)

    def plane(self, output):
        """The plane of OUTPUT; None: it is not computed now."""
        plane = self.room
        if self.check(lib.vivograph_work_plane(self.work, output.index, plane, self.error)):
            return None
        return {"shape": (plane.slices, plane.height, plane.width), "origin": tuple(plane.origin),
                "pixel_size": tuple(plane.pixel_size), "unit": text_of(plane.unit)}

    def read(self, output, address, room, function):
        """Copies OUTPUT to ROOM 32-bit floats at ADDRESS; False: it is not computed now."""
        return self.check(function(self.work, output.index, ffi.cast(FLOATS, address), room,
                                   self.error)) == lib.VIVOGRAPH_OK

    def describe(self, result):
        """Adds all but the maps to RESULT."""
        metric, text, i = ffi.new("VivographMetric *"), ffi.new("char **"), 0
        while lib.vivograph_work_metric(self.work, i, metric) == lib.VIVOGRAPH_OK:
            entry = Metric(text_of(metric.id), text_of(metric.label), text_of(metric.unit),
                           metric.value, text_of(metric.advice))
            result.metrics[entry.id] = entry
            i += 1
        for output in self.operation.outputs.values():
            if output.id in result:
                result.units[output.id] = text_of(lib.vivograph_work_unit(self.work, output.index))
            elif output.kind == "text" and not output.view_only and self.check(
                    lib.vivograph_work_text(self.work, output.index, text, self.error)) == 0:
                result.texts[output.id] = text_of(text[0])
        get, work, error, string = lib.vivograph_work_get_text, self.work, self.error, ffi.string
        for name in self.operation.parameters:
            get(work, name.encode(), text, error)
            result.parameters[name] = string(text[0]).decode()
        result.device = text_of(lib.vivograph_work_device(self.work))
        self.take_notices(result.notices)

    def take_notices(self, notices):
        room = ffi.new("char[1024]")
        while lib.vivograph_work_notice(self.work, room, 1024) == lib.VIVOGRAPH_OK:
            notices.append(text_of(room))


class _Stacks:
    """The maps of all frames, or of one data set.  A map may begin at a later frame."""

    def __init__(self, work, most, empty):
        self.work = work
        self.most = most
        self.empty = empty  # makes arrays in the host or on a GPU
        self.function = (lib.vivograph_work_read if empty is _empty_on_host
                         else lib.vivograph_work_read_device)
        self.planes, self.values, self.frames = {}, {}, []
        self.places = {}  # address of a map's values, and their number in one frame
        self.outputs = [output for output in work.operation.outputs.values()
                        if output.kind != "text" and not output.view_only]

    def _begin(self, output):
        plane = self.work.plane(output)
        if plane is None:
            return False
        most = self.most - max(self.frames[0] if self.frames else self.work.frame(), 0)
        self.planes[output.id] = plane
        self.values[output.id] = self.empty((most, *plane["shape"]))
        self.values[output.id][:len(self.frames)] = np.nan
        self.places[output.id] = (_arrays.pointer_to(self.values[output.id]),
                                  math.prod(plane["shape"]))
        return True

    def add(self):
        count = len(self.frames)
        for output in self.outputs:
            if output.id in self.places or self._begin(output):
                address, room = self.places[output.id]
                if not self.work.read(output, address + 4 * room * count, room, self.function):
                    self.values[output.id][count] = np.nan
        self.frames.append(self.work.frame())

    def maps(self, has_times, has_slices):
        """The maps without axes of one entry that the input had not."""
        found = {}
        for name in (output.id for output in self.outputs if output.id in self.values):
            values = self.values[name][:len(self.frames)]
            plane = self.planes[name]
            plane["axes"] = (has_times, has_slices or plane["shape"][0] > 1)
            plane["key"] = (plane["shape"][1:], plane["origin"], plane["pixel_size"])
            values = values if plane["axes"][1] else values[:, 0]
            found[name] = values if has_times else values[0]
        return found


def _step_to_end(work, stacks, progress):
    stream = work.operation.input == "stream"
    while True:
        status = work.step()
        if status == lib.VIVOGRAPH_MAPS or (status == lib.VIVOGRAPH_DONE and not stream):
            stacks.add()
        if progress is not None:
            progress(1.0 if status == lib.VIVOGRAPH_DONE else work.progress())
        if status == lib.VIVOGRAPH_DONE:
            return


def _empty_on_host(shape):
    return np.empty(shape, np.float32)


def run(operation, data, settings, axes=None, backend="auto", threads=0, progress=None,
        times_s=None, scales=None):
    """Computes all maps of OPERATION; what `vivograph.flow` and the others call."""
    array = letters = None
    if data is not None:
        letters = _arrays.find_axes(operation, data, axes)
        array = _arrays.find_on_gpu(operation, data, letters) if backend != "cpu" else None
    work = Work(operation, backend, threads)
    for name, value in settings.items():
        work.set(operation.parameters[name], value)
    empty = _empty_on_host
    try:
        if array is not None:
            array.wait()
            work.start(array, letters, scales or {}, times_s)
            empty = array.empty
    except DeviceError:
        if backend != "auto":
            raise
        array = None  # the CPU computes
    if empty is _empty_on_host:
        array = None if data is None else _arrays.to_samples(data)
        work.start(array, letters, scales or {}, times_s)
    frames = array.shape[letters.index("T")] if letters and "T" in letters else 1
    stream = operation.input == "stream"
    stacks = _Stacks(work, frames if stream else 1, empty)
    _step_to_end(work, stacks, progress)
    maps = stacks.maps(stream and "T" in letters, bool(letters) and "Z" in letters)
    labels = {name: operation.outputs[name].label for name in maps}
    result = Result(operation.id, maps, labels, stacks.planes)
    work.describe(result)
    if stream:
        interval = (scales or {}).get("frame_interval_s", 0.0)
        result.frames = stacks.frames
        result.times_s = [float(times_s[i]) if times_s is not None else i * interval
                          for i in stacks.frames]
    return result
