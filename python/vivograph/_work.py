# SPDX-License-Identifier: MIT
"""Runs an operation once: settings, data, steps, maps."""

import math
import os
import threading

import numpy as np

from . import _arrays, _memory
from ._library import DeviceError, InputError, UsageError, check, ffi, lib, text_of
from ._ready import METRIC, Found, Metrics, Plan, Ready
from ._result import Result


def _table_text(rows, columns, between=";"):
    """Rows of numbers as the library reads them.  A list of numbers is one row; if there is one
    column, it is that."""
    rows = np.asarray(rows, dtype=float)
    rows = rows.reshape(-1, 1) if columns == 1 and rows.ndim == 1 else np.atleast_2d(rows)
    return between.join(",".join(repr(float(value)) for value in row) for row in rows)


class Given:
    """What stands in the place of the file of PARAMETER: samples, whose axes are LETTERS, or the
    text of a table."""

    def __init__(self, parameter, value, operation, axes):
        self.name = parameter.id.encode()
        table = parameter.takes_table and (not parameter.takes_image or _is_table(value))
        if table and operation.id in ("contour", "fluence"):  # theirs are GeoJSON and MCML files
            raise TypeError(f"{parameter.id} takes no rows of numbers; give a path"
                            + (" or a label image" if parameter.takes_image else ""))
        self.content = _table_text(value, 1, "\n").encode() if table else None
        if not table:
            self.letters = _arrays.find_file_axes(operation, parameter, value, axes)
            self.scales, _ = _arrays.read_coordinates(value, self.letters)
            self.samples = _arrays.to_samples(_arrays.without_gradient(value))

    def put(self, work, error):
        """Gives it to WORK; the status."""
        if self.content is not None:
            return lib.vivograph_work_give_content(work, self.name, self.content, error)
        data, samples = _arrays.describe(self.samples, self.letters, self.scales, None)
        status = lib.vivograph_work_give_data(work, self.name, data, error)
        del samples  # they were copied
        return status


def _is_table(value):
    """Whether VALUE, of a file that is an image or a table, is rows of two or three numbers."""
    array = value if hasattr(value, "dtype") else np.asarray(value)
    return array.ndim == 2 and array.shape[1] in (2, 3) and str(array.dtype) != "bool"


def _names_of_files(parameter, value):
    """The text for several files if VALUE is a list of paths; None: it is something else."""
    if not (isinstance(value, (list, tuple)) and value
            and all(isinstance(path, (str, os.PathLike)) for path in value)):
        return None
    if len(value) > 1 and not parameter.takes_several:
        raise TypeError(f"{parameter.id} is one file, not {len(value)}")
    return ";".join(os.fspath(path).replace(";", "\\;") for path in value)


def _text_of_value(parameter, value):
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if parameter.kind == "table":
        return _table_text(value, parameter.columns)
    if parameter.kind == "file":
        return _names_of_files(parameter, value)
    if parameter.kind in ("region", "choice"):
        raise TypeError(f"{parameter.id} is {value!r}; give a text")
    return None


def encode(parameter, value, operation, axes):
    """A function that gives PARAMETER's VALUE, a number, a text, a path, rows of numbers, or an
    array in the place of a file, to a work, and the arguments before the error."""
    name, text = parameter.id.encode(), _text_of_value(parameter, value)
    if text is None and parameter.kind == "bool" and isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    if text is not None:
        if "\0" in text:
            raise UsageError(f"{parameter.id} contains a null character; remove it")
        return lib.vivograph_work_set_text, (name, text.encode())
    if parameter.kind == "file":
        if isinstance(value, (bool, int, float)):
            raise TypeError(f"{parameter.id} is {value!r}; give a path or an array")
        return Given(parameter, value, operation, axes).put, ()
    try:
        return lib.vivograph_work_set_number, (name, float(value))
    except (TypeError, ValueError):
        raise TypeError(f"{parameter.id} is {value!r}; give a number") from None


#: largest number of samples for which the preparation takes no long time
AT_ONCE = 1 << 17
#: largest number of kinds of data for which a work is ready
MOST_READY = 16


def _kind_of(array, letters):
    """What a plan depends on besides the settings."""
    return (letters, array.shape, array.dtype) if array is not None else ()


def _layout_of(array):
    return (array.shape, array.strides, array.dtype) if array is not None else ()


class Work:
    """One computation with SETTINGS; its memory goes with it.  One thread at a time may use it.
    KEPT: it is used again, so its maps are in page-locked memory, which takes longer to make, and
    calls with the same kind of data are prepared."""

    def __init__(self, settings, kept=False):
        self.settings, self.operation = settings, settings.operation
        self.backend = settings.backend
        self.empty = _memory.empty if kept and self.backend != "cpu" else _empty_on_host
        self.error = ffi.new("VivographError *")
        made = ffi.new("VivographWork **")
        check(lib.vivograph_work_new(self.operation.id.encode(), str(self.backend).encode(),
                                     settings.threads, made, self.error), self.error)
        self.work = ffi.gc(made[0], lib.vivograph_work_free)
        self.room, self.text = ffi.new("VivographPlane *"), ffi.new("char **")
        self.metrics, self.notice = ffi.new("VivographMetric[]", 32), ffi.new("char[1024]")
        self.count = ffi.new("size_t *")
        self.samples, self.kept, self.ready = None, kept, {}
        for put, arguments in settings.values:
            self.check(put(self.work, *arguments, self.error))

    def check(self, status):
        return check(status, self.error)

    def start(self, array, letters, scales, times):
        """Starts with ARRAY; None for a simulation.  SCALES and TIMES are those of its coordinates,
        if it has any."""
        data, samples = ffi.NULL, None
        if array is not None:
            data, samples = _arrays.describe(array, letters, {**scales, **self.settings.scales},
                                             times)
        self.start_with(data, samples, 0 if array is None else math.prod(array.shape))

    def start_with(self, data, samples, count):
        """Starts with DATA, which are COUNT values in SAMPLES; these are kept until the work ends
        or starts again."""
        long = self.operation.input == "dataset" and count > AT_ONCE
        try:
            self.check((self.prepare_on_thread if long else self.prepare)(data))
        finally:
            self.samples = samples

    def prepare(self, data):
        return lib.vivograph_work_start(self.work, data, self.error)

    def prepare_on_thread(self, data):
        """Like prepare, but Ctrl+C reaches the calling thread meanwhile, and cancels."""
        status, turn, ended, interrupt = [], threading.Lock(), threading.Event(), None

        def prepare():
            if not turn.acquire(blocking=False):
                return  # the caller was interrupted before, and is gone
            try:
                status.append(self.prepare(data))
            finally:
                ended.set()

        thread, begun = threading.Thread(target=prepare), False
        while not ended.is_set():
            try:
                if not begun:
                    begun = True
                    thread.start()
                if interrupt is not None:  # again and again: the thread may just have begun
                    lib.vivograph_work_cancel(self.work)
                # Thread.join must not be interrupted: the thread then counts as ended
                ended.wait(None if interrupt is None else 0.05)
            except BaseException as error:
                if interrupt is None and turn.acquire(blocking=False):
                    raise
                interrupt = error
        if interrupt is not None:
            raise interrupt
        return status[0]

    def find_ready(self, data):
        """What is ready for DATA, perhaps an array; None: nothing."""
        plain = data is None or type(data) is np.ndarray
        return self.ready.get(_layout_of(data)) if plain else None

    def remember(self, array, letters):
        """Prepares calls with data like ARRAY, a numpy array that was not converted, or None."""
        plan = self.settings.known.get(_kind_of(array, letters))
        if plan is None or not (array is None or type(array) is np.ndarray):
            return
        if len(self.ready) >= MOST_READY:
            self.ready.clear()
        self.ready[_layout_of(array)] = Ready(self.settings, plan, array, letters)

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
        shape = plane.slices, plane.height, plane.width
        return {"index": output.index, "shape": shape, "room": math.prod(shape),
                "origin": tuple(plane.origin), "pixel_size": tuple(plane.pixel_size),
                "unit": text_of(plane.unit)}

    def make_result(self, plan, maps, frames, times):
        """The result of the run that has ended; what the library frees in its next call is read."""
        settings, metrics, texts = self.settings, self.take_metrics(), {}
        for output in settings.texts:
            if self.check(lib.vivograph_work_text(self.work, output.index, self.text,
                                                  self.error)) == 0:
                texts[output.id] = ffi.string(self.text[0])
        result = Result(self.operation.id, Found(plan, maps, metrics, texts, frames, times,
                                                 settings.scales.get("frame_interval_s", 0.0)))
        notices = result.notices
        notices += metrics.advice.values()
        result.device = text_of(lib.vivograph_work_device(self.work))
        while lib.vivograph_work_notice(self.work, self.notice, 1024) == lib.VIVOGRAPH_OK:
            notices.append(text_of(self.notice))
        return result

    def take_metrics(self):
        """The metrics of the result."""
        while True:
            room = len(self.metrics)
            self.check(lib.vivograph_work_metrics(self.work, self.metrics, room, self.count,
                                                  self.error))
            n = self.count[0]
            if n <= room:
                return Metrics(ffi.buffer(self.metrics)[:n * METRIC.size])
            self.metrics = ffi.new("VivographMetric[]", n)

    def list_units(self, maps):
        """The unit of each of MAPS."""
        return {name: text_of(lib.vivograph_work_unit(self.work,
                                                      self.operation.outputs[name].index))
                for name in maps}

    def list_parameters(self):
        """The values that are used, as text."""
        found, text, get = {}, self.text, lib.vivograph_work_get_text
        for name in self.operation.parameters:
            get(self.work, name.encode(), text, self.error)
            found[name] = text_of(text[0])
        return found


class _Stacks:
    """The maps of all frames, or of one data set.  A map may begin at a later frame."""

    def __init__(self, work, most, on_gpu, letters):
        self.work, self.most = work, most
        self.has_times = work.operation.input == "stream" and "T" in letters
        self.has_slices = "Z" in letters
        # makes arrays in the host or on a GPU
        self.on_host = on_gpu is None
        self.empty = work.empty if on_gpu is None else on_gpu.empty
        self.function = (lib.vivograph_work_read if on_gpu is None
                         else lib.vivograph_work_read_device)
        self.planes, self.values, self.frames = {}, {}, []
        self.places = []  # of each map its output, pointer, number of values in a frame, and array
        self.found = {}  # planes by the number of frames before them

    def _begin(self, count):
        """Makes arrays for the maps that are computed for the first time, if all of them fit."""
        found = self._find_planes()
        if not found:
            return
        most = self.most - max(self.frames[0] if self.frames else self.work.frame(), 0)
        if self.on_host:
            # The system gives memory when a frame is written, so that it still counts as free.
            later = (most - count) * sum(room for _, _, room, _ in self.places)
            samples = most * sum(plane["room"] for plane in found.values()) + later
            _arrays.check_memory(4 * samples, f"the maps of {most} frames" if most > 1
                                 else "the maps")
        for name, plane in found.items():
            values = self.values[name] = self.empty((most, *plane["shape"]))
            if count:
                values[:count] = np.nan
            self.places.append((
                plane["index"], ffi.from_buffer("float[]", values) if self.on_host else
                ffi.cast("float *", _arrays.pointer_to(values)), plane["room"], values))
            self.planes[name] = plane
        self.found[count] = found

    def _find_planes(self):
        """The planes of the maps that are computed now and have no array yet."""
        found = {}
        for output in self.work.settings.outputs:
            plane = self.work.plane(output) if output.id not in self.planes else None
            if plane is not None:
                plane["axes"] = (self.has_times, self.has_slices or plane["shape"][0] > 1)
                plane["key"] = (plane["shape"][1:], plane["origin"], plane["pixel_size"])
                found[output.id] = plane
        return found

    def add(self):
        """Reads all maps of the present frame."""
        work, error, count, read = self.work.work, self.work.error, len(self.frames), self.function
        self._begin(count)
        for index, pointer, room, values in self.places:
            status = read(work, index, pointer + room * count, room, error)
            if status and self.work.check(status):
                values[count] = np.nan  # it is not computed now
        self.frames.append(lib.vivograph_work_frame(work))

    def maps(self):
        """The maps without axes of one entry that the input had not."""
        times = slice(len(self.frames)) if self.has_times else 0
        return {output.id: self.values[output.id][
                    times, slice(None) if self.planes[output.id]["axes"][1] else 0]
                for output in self.work.settings.outputs if output.id in self.values}


def _step_to_end(work, stacks, progress):
    stream, maps, done = work.operation.input == "stream", lib.VIVOGRAPH_MAPS, lib.VIVOGRAPH_DONE
    status = None
    while status != done:
        status = work.step()
        if status == maps or (status == done and not stream):
            stacks.add()
        if progress is not None:
            progress(1.0 if status == done else work.progress())


def _empty_on_host(shape):
    return np.empty(shape, np.float32)


def _attempt(work, array, letters, scales, times, progress):
    """The result of ARRAY, computed in the memory where it is."""
    settings, on_gpu = work.settings, array if isinstance(array, _arrays.OnGpu) else None
    own = scales or times is not settings.times_s  # which differ from array to array
    kind = None if own or array is None and settings.names_files else _kind_of(array, letters)
    plan = settings.known.get(kind)
    if plan is not None and on_gpu is None:
        return Ready(settings, plan, array, letters).run(work, array, progress)
    if on_gpu is not None:
        on_gpu.wait()
    work.start(array, letters, scales, times)
    stream = work.operation.input == "stream"
    frames = array.shape[letters.index("T")] if stream and "T" in letters else 1
    stacks = _Stacks(work, frames, on_gpu, letters)
    _step_to_end(work, stacks, progress)
    if plan is None:
        plan = Plan(work, stacks)
        settings.remember(kind, plan)
    numbers = np.array(stacks.frames if stream else [], np.int64).tobytes()
    return work.make_result(plan, stacks.maps(), numbers, times)


def _read(work, data):
    """DATA without gradient, the letters of its axes, its samples, and the scales and times of its
    coordinates."""
    settings, plain = work.settings, type(data) is np.ndarray
    if isinstance(data, (str, os.PathLike)):
        raise TypeError(f"the data are the path {os.fspath(data)!r}; give an array, such as "
                        "tifffile.imread(path), or compute files with `vivograph run`")
    if data is None:
        return None, "", None, {}, settings.times_s
    data = _arrays.without_gradient(data)
    letters = settings.letters.get(data.ndim) if plain else None
    if letters is None:
        letters = _arrays.find_axes(work.operation, data, settings.axes)
        if plain:  # other arrays may name their axes
            settings.letters[data.ndim] = letters
    scales, times = {}, settings.times_s
    if not isinstance(data, np.ndarray):
        scales, found = _arrays.read_coordinates(data, letters)
        times = found if times is None and not settings.has_interval else times
    array = (_arrays.find_on_gpu(work.operation, data, letters) if work.backend != "cpu"
             else None)
    return data, letters, _arrays.to_samples(data) if array is None else array, scales, times


def run(work, data, progress):
    """Computes the maps of DATA with WORK; what `vivograph.flow` and the others call."""
    ready, failure = work.find_ready(data), None
    if ready is None:
        data, letters, array, scales, times = _read(work, data)
    else:
        letters, array, scales, times = ready.letters, data, {}, work.settings.times_s
    try:
        result = (_attempt(work, array, letters, scales, times, progress) if ready is None
                  else ready.run(work, array, progress))
    except DeviceError as error:
        if work.backend != "auto":
            raise
        failure = str(error)
    except InputError as error:
        hint = "" if data is None else _find_order_hint(work, data, letters)
        if not hint:
            raise
        raise InputError(f"{error}. {hint}") from None
    if failure is not None:
        array = None if data is None else _arrays.to_samples(data)
        result = _attempt(work, array, letters, scales, times, progress)
        result.notices.insert(0, "The maps were computed again from samples in host memory, "
                                 f"because of this error: {failure}")
    if array is not None:
        order, bits = _hints(work, data, letters, array)
        result.notices += filter(None, (order, bits))
        result._warnings += filter(None, (order,))
    if work.kept and ready is None and array is data:
        work.remember(array, letters)
    return result


def _find_order_hint(work, data, letters):
    named = work.settings.axes is not None or getattr(data, "dims", None) is not None
    return "" if named else _arrays.find_order_hint(letters, np.shape(data))


def _hints(work, data, letters, array):
    """What the caller may have forgotten to say about the order of the axes of DATA, and about the
    bits of its samples, ARRAY."""
    order = _find_order_hint(work, data, letters)
    bits = ("" if work.settings.names_range
            else _arrays.find_bits_hint(work.operation, letters, array))
    return order, bits
