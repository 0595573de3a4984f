# SPDX-License-Identifier: MIT
"""Prepared calls: what depends only on the settings and on the shape and type of the data is found
once.  A call then makes only a few calls of the library, however many frames and maps there are."""

import functools
import itertools
import math
import struct

import numpy as np

from . import _arrays
from ._library import FailedError, check, ffi, fixed_texts, lib, text_of
from ._result import Metric

#: bytes up to which all maps of a run share one allocation, because many small ones take longer
TOGETHER = 1 << 18
STACK = ffi.sizeof("VivographStack")
SAMPLES, VALUES = ffi.typeof("char[]"), ffi.typeof("float[]")


#: a VivographMetric: id, label and unit, which are never freed, value, advice, and whether it is
#: grave
METRIC = struct.Struct("PPPdPi28x")


@functools.lru_cache(maxsize=None)
def _advice_of(n):
    """The format that reads the advice of N metrics, and whether it is grave."""
    return struct.Struct("32xPi28x" * n)


class Metrics:
    """The metrics of a run.  CONTENT: the bytes of the library's array of VivographMetric."""

    __slots__ = "content", "advice", "warnings"

    def __init__(self, content):
        found = _advice_of(len(content) // METRIC.size).unpack(content)
        self.content, self.advice, self.warnings = content, {}, []
        if not any(found):
            return
        # the library frees these texts in its next call
        for i, (address, grave) in enumerate(zip(found[::2], found[1::2])):
            if address:
                self.advice[i] = text_of(ffi.cast("char *", address))
                self.warnings += [self.advice[i]] if grave else []

    def read(self):
        """A dict from the id of each metric to its Metric."""
        found = {}
        for i, (*texts, value, _, _) in enumerate(METRIC.iter_unpack(self.content)):
            name, label, unit = fixed_texts(*texts)
            found[name] = Metric(name, label, unit, value, self.advice.get(i, ""))
        return found


class Plan:
    """What depends only on the settings of WORK and on the shape and type of the data.  A run with
    such data has filled STACKS."""

    def __init__(self, work, stacks):
        self.planes, self.frames = stacks.planes, len(stacks.frames)
        self.labels, self.label_maps = work.settings.labels, work.settings.label_maps
        self.order = [output.id for output in work.settings.outputs if output.id in self.planes]
        self.units, self.parameters = work.list_units(self.order), work.list_parameters()
        # the parameters whose value is found from the data, and the metrics that have it
        self.automatic = [(name, parameter.metric)
                          for name, parameter in work.operation.parameters.items()
                          if parameter.automatic and self.parameters[name] == "0"]
        rooms = [plane["room"] for plane in self.planes.values()]
        sizes = np.cumsum([0] + rooms) * 4 * self.frames
        self.count, self.bytes = int(sizes[-1]) // 4, int(sizes[-1])
        # maps of one shape that lie side by side: names, shape with the number of maps, and offset
        self.groups = []
        places = zip(self.planes.items(), sizes.tolist())
        for shape, group in itertools.groupby(places, lambda place: self._shape_of(place[0][1])):
            group = list(group)
            names = [name for (name, _), _ in group]
            self.groups.append((names, (len(names), *shape), group[0][1]))
        self.outputs = ffi.new("size_t[]", [plane["index"] for plane in self.planes.values()])
        self.rooms = ffi.new("size_t[]", rooms)

    def _shape_of(self, plane):
        return ((self.frames,) if plane["axes"][0] else ()) + (
            plane["shape"] if plane["axes"][1] else plane["shape"][1:])

    def make_arrays(self, empty):
        """An array for each map, made by EMPTY."""
        return {name: empty(shape[1:]) for names, shape, _ in self.groups for name in names}

    def find_maps(self, block):
        """The maps in BLOCK, which is one array with all maps in sequence or a dict of arrays."""
        found = block if isinstance(block, dict) else {
            name: values for names, shape, offset in self.groups
            for name, values in zip(names, np.ndarray(shape, np.float32, block, offset))}
        for name in self.label_maps:
            if isinstance(found.get(name), np.ndarray):
                found[name] = _arrays.to_labels(found[name])
        return {name: found[name] for name in self.order}


class Found:
    """What a run has produced.  A Result makes each attribute from it when it is first read."""

    __slots__ = "plan", "block", "metrics", "texts", "frames", "times", "interval"

    def __init__(self, *given):
        (self.plan, self.block, self.metrics, self.texts, self.frames, self.times,
         self.interval) = given

    def find__maps(self):
        return self.plan.find_maps(self.block)

    def find__planes(self):
        return self.plan.planes

    def find__labels(self):
        return self.plan.labels

    def find_units(self):
        return self.plan.units.copy()

    def find_metrics(self):
        return self.metrics.read()

    def find_texts(self):
        return {name: text.decode("utf-8", "replace") for name, text in self.texts.items()}

    def find_parameters(self):
        values, metrics = self.plan.parameters.copy(), self.metrics.read()
        for name, metric in self.plan.automatic:
            if metric in metrics and math.isfinite(metrics[metric].value):
                values[name] = f"{metrics[metric].value:.7g}"
        return values

    def find_frames(self):
        return np.frombuffer(self.frames, np.int64).tolist()

    def find_times_s(self):
        frames = self.find_frames()
        if not frames or self.times is None and not self.interval:
            return None
        return ([i * self.interval for i in frames] if self.times is None
                else [float(self.times[i]) for i in frames])


class Ready:
    """Runs with data like ARRAY, whose axes are LETTERS, as PLAN says; None: without data.  One
    work at a time may use it."""

    def __init__(self, settings, plan, array, letters):
        self.plan, self.letters, self.data = plan, letters, ffi.NULL
        if array is not None:
            self.data, (_, *self.kept) = _arrays.describe(array, letters, settings.scales,
                                                          settings.times_s)
            self.packed = array.flags.c_contiguous
        is_stream = settings.operation.input == "stream"
        self.frames = ffi.new("int64_t[]", max(plan.frames, 1))
        self.numbers = ffi.buffer(self.frames, 8 * plan.frames if is_stream else 0)
        self.stack = ffi.new("VivographStack *", (STACK, len(plan.planes), plan.outputs, ffi.NULL,
                                                  plan.rooms, plan.frames, 0, self.frames))

    def run(self, work, array, progress):
        """The result of ARRAY."""
        plan, stack = self.plan, self.stack
        if array is not None:
            self.data.samples = (ffi.from_buffer(SAMPLES, array) if self.packed else
                                 ffi.cast("void *", _arrays.pointer_to(array)))
        work.start_with(self.data, array, 0 if array is None else array.size)
        if plan.bytes >= _arrays.UNCHECKED:
            _arrays.check_memory(plan.bytes, "the maps" if plan.frames == 1 else
                                 f"the maps of {plan.frames} frames")
        if plan.bytes <= TOGETHER:
            block = work.empty((plan.count,))
            stack.values = ffi.from_buffer(VALUES, block)
        else:
            block = plan.make_arrays(work.empty)
            pointers = ffi.new("float *[]", [ffi.cast("float *", _arrays.pointer_to(values))
                                             for values in block.values()])
            stack.maps = pointers
        stack.count = 0
        self.gather(work, progress)
        if stack.count != plan.frames:
            raise FailedError(f"{stack.count} frames have maps instead of {plan.frames}; "
                              "run it again")
        return work.make_result(plan, block, self.numbers[:], work.settings.times_s)

    def gather(self, work, progress):
        """Steps WORK to the end."""
        stack, status, done = self.stack, None, lib.VIVOGRAPH_DONE
        while status != done:
            status = lib.vivograph_work_gather(work.work, stack, work.error)
            if status < 0:
                check(status, work.error)
            if progress is not None:
                progress(1.0 if status == done else work.progress())
