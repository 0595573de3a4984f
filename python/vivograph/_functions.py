# SPDX-License-Identifier: MIT
"""A function for each operation, with signature and docstring from its tables."""

import contextlib
import difflib
import functools
import inspect
import operator
import textwrap
import threading
import warnings
from collections.abc import Iterable

import numpy as np

from . import _arrays, _tables, _work
from ._library import ResultWarning, UsageError
from ._result import Result

TYPES = {"int": "int", "float": "float", "bool": "bool", "choice": "str", "file": "path or array",
         "region": "str", "table": "str or rows of numbers"}
COMMON = {
    "axes": (None, "str", "The axes of the array, one letter each: T frames, Z slices, B time "
             "bins, Y rows, X columns, C channels. By default {usual}."),
    "times_s": (None, "array", "Time of each frame, in s."),
    "frame_interval_s": (None, "float", "Time from frame to frame, in s."),
    "pixel_um": (None, "float", "Width and height of a pixel, in um."),
    "significant_bits": (None, "int", "Bits that the samples use, such as 12 of 16. Samples at the "
                         "top of this range count as saturated."),
    "backend": ("auto", "str", "auto, cpu or cuda; auto uses a GPU if there is one."),
    "threads": (0, "int", "Threads of the CPU; 0: all."),
    "outputs": (None, "names", "The maps to return, by their names; by default all. Each map takes "
                "memory for every frame. A map that the settings do not give is left out."),
    "progress": (None, "bool or callable", "True shows a bar if tqdm is installed. A function is "
                 "called with the fraction that is done, negative if it is not known; an "
                 "exception that it raises ends the run."),
}


def option_names(operation):
    """The keywords of OPERATION that are no parameters."""
    of_data = ("axes", "times_s", *_arrays.SCALES)
    return [name for name in COMMON if name not in operation.parameters
            and not (operation.input == "none" and name in of_data)]


def common_options(operation):
    """The keywords of OPERATION that are no parameters, with default, type and help."""
    usual = " or ".join(filter(None, (_arrays.default_axes(operation, n) for n in (2, 3, 4))))
    return {name: (COMMON[name][0], COMMON[name][1], COMMON[name][2].format(usual=usual))
            for name in option_names(operation)}


def _range_text(parameter):
    if parameter.choices:
        return "One of " + ", ".join(parameter.choices) + "."
    if parameter.minimum is None:
        return ""
    unit = f" {parameter.unit}" if parameter.unit else ""
    zero = "; 0: found from the data" if parameter.automatic else ""
    return f"{parameter.minimum:.10g} to {parameter.maximum:.10g}{unit}{zero}."


def _entry(name, kind, default, *sentences):
    text = " ".join(filter(None, sentences))
    return (f"{name} : {kind}, default {default!r}\n"
            + textwrap.indent(textwrap.fill(text, 92), "    "))


def make_docstring(operation):
    """The docstring of OPERATION's function in the style of numpy."""
    lines = [operation.summary, "", "Parameters", "----------"]
    if operation.input != "none":
        lines += ["data : array", "    Any shape that `axes` names, in any layout. Samples of type "
                  "uint8, uint16,\n    uint32 and float32 are not copied if they are contiguous."]
    lines += [_entry(parameter.id, TYPES[parameter.kind], parameter.default,
                     f"{parameter.label}.", parameter.help, _range_text(parameter))
              for parameter in operation.parameters.values()]
    lines += [_entry(name, kind, default, text)
              for name, (default, kind, text) in common_options(operation).items()]
    lines += ["", "Returns", "-------", "Result", "    Maps by their id, and:"]
    lines += [textwrap.indent(textwrap.fill(
        f"{output.id} ({output.unit or 'no unit'}): {output.help}", 88), "    ")
        for output in operation.outputs.values() if not output.view_only]
    lines += ["", "References", "----------", operation.citation]
    return "\n".join(lines).replace("    Maps by their id, and:", "    The maps by their id:")


def make_signature(operation):
    """The signature of OPERATION's function."""
    kinds = inspect.Parameter
    first = [] if operation.input == "none" else [kinds("data", kinds.POSITIONAL_ONLY)]
    return inspect.Signature(
        first + [kinds(parameter.id, kinds.KEYWORD_ONLY, default=parameter.default)
                 for parameter in operation.parameters.values()]
        + [kinds(name, kinds.KEYWORD_ONLY, default=default)
           for name, (default, _, _) in common_options(operation).items()],
        return_annotation=Result)


def _tqdm_bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None, None
    bar = tqdm(total=100, unit="%", leave=False)

    def show(fraction):
        bar.update(max(0, int(100 * fraction) - bar.n))

    return show, bar


def _refuse_name(operation, what, name, known):
    near = [full for full in known if full.startswith(f"{name}_")]  # without its unit
    near += [full for full in difflib.get_close_matches(str(name), known, 1) if full not in near]
    raise UsageError(f"{operation.id} has no {what} {name!r}; "
                     + (f"did you mean {' or '.join(near[:3])}?" if near
                        else f"help(vivograph.{operation.id}) lists all"))


def _find_maps(operation, names):
    """The outputs that NAMES choose among the maps."""
    maps = {output.id: output for output in operation.outputs.values() if output.is_map}
    if names is not None and not isinstance(names, (str, Iterable)):
        raise TypeError(f"outputs is {names!r}; give the names of maps")
    names = [names] if isinstance(names, str) else list(maps if names is None else names)
    for name in names:
        if name not in maps:
            _refuse_name(operation, "map", name, [*maps])
    return [output for name, output in maps.items() if name in names]


def _number(name, value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}; give a number") from None


def _whole_number(name, value):
    """VALUE as an int that fits into 32 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; give a whole number") from None
    if abs(number) >= 1 << 31:
        raise UsageError(f"{name} is {number}, out of range; give a smaller one")
    return number


def _sort(operation, options, given):
    """The values of parameters, of data and of the run; None stands for the default."""
    settings, scales, rest = {}, {}, {}
    for name, value in given.items():
        if name not in operation.parameters and name not in options:
            _refuse_name(operation, "parameter", name, [*operation.parameters, *options])
        if value is None:
            continue
        if name in operation.parameters:
            settings[name] = value
        elif name in _arrays.SCALES:
            scales[name] = (_whole_number if _arrays.SCALES[name] is int else _number)(name, value)
        else:
            rest[name] = value
    return settings, scales, rest


class _Settings:
    """The arguments GIVEN to a function, checked and as the library takes them."""

    #: kinds of data that are known at the same time
    MOST_KNOWN = 16

    def __init__(self, operation, given):
        values, self.scales, rest = _sort(operation, option_names(operation), given)
        self.operation, self.times_s, self.axes = operation, rest.get("times_s"), rest.get("axes")
        self.backend = rest.get("backend", "auto")
        self.threads = _whole_number("threads", rest.get("threads", 0))
        self.outputs = _find_maps(operation, rest.get("outputs"))
        self.label_maps = [output.id for output in self.outputs if output.kind == "labels"]
        self.texts = [output for output in operation.outputs.values()
                      if output.kind == "text" and not output.view_only]
        self.values = [_work.encode(operation.parameters[name], value, operation, self.axes)
                       for name, value in values.items()]
        self.labels = {output.id: output.label for output in operation.outputs.values()}
        self.has_interval = "frame_interval_s" in self.scales or "frame_interval_s" in values
        # the caller has said which samples are saturated
        self.names_range = bool({"significant_bits", "saturation_level"} & {*self.scales, *values})
        self.names_files = any(operation.parameters[name].kind == "file" for name in values)
        self.letters = {}  # of the axes of numpy arrays, by their number
        self.known = {}  # what holds for all data of one shape and type

    def remember(self, kind, plan):
        """Stores PLAN for data of this KIND; None: nothing, because a file may decide."""
        if kind is None:
            return
        if len(self.known) >= self.MOST_KNOWN:
            self.known.clear()
        self.known[kind] = plan


def _run(work, data, progress, depth):
    """The Result of DATA.  DEPTH: the functions of this module between this one and the caller's,
    whose line a warning names."""
    bar = None
    if work.operation.input != "none" and data is None:
        raise UsageError(f"{work.operation.id} needs data; give an array")
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress is {progress!r}; give True or a function")
    if isinstance(progress, bool):
        progress, bar = _tqdm_bar() if progress else (None, None)
    try:
        result = _work.run(work, data, progress)
    finally:
        if bar is not None:
            bar.close()
    for text in result._warnings:
        warnings.warn(text, ResultWarning, depth + 2)
    return result


class Reusable:
    """An operation with fixed settings, for many arrays one after the other.

    It keeps its memory between calls, above all that on a GPU, and returns maps in page-locked
    memory, so a call takes little longer than copying its samples.  One thread at a time may call
    it.

    Parameters
    ----------
    operation : str
        The name of the operation, such as "lifetime".
    **settings
        The arguments that the operation's function takes, such as `vivograph.lifetime`.

    Examples
    --------
    >>> lifetime = vivograph.Reusable("lifetime", bin_width_ns=0.05)
    >>> counts = vivograph.empty((256, 512, 512), "uint16")  # filled again for each image
    >>> maps = lifetime(counts)
    """

    def __init__(self, operation, /, **settings):
        known = {found.id: found for found in _tables.load().values()}
        if operation not in known:
            raise UsageError(f"there is no operation {operation!r}; choose one of "
                             f"{', '.join(known)}")
        self._progress = settings.pop("progress", None)
        self._work = _work.Work(_Settings(known[operation], settings), kept=True)
        self._turn = threading.Lock()

    def __call__(self, data=None, /):
        """The maps of DATA, as a Result."""
        if not self._turn.acquire(blocking=False):
            raise UsageError("this Reusable computes already; make one for each thread")
        try:
            return _run(self._work, data, self._progress, 1)
        finally:
            self._turn.release()


#: types of arguments whose equal values are the same setting
PLAIN = frozenset([str, int, float, bool, type(None)])
#: largest number of samples in the data, or in the maps of a simulation, for which a work is kept
#: for the next call
FEW = 1 << 18
#: largest number of works that are kept for an operation
MOST_IDLE = 4


def make_function(operation):
    """The function that computes OPERATION."""
    # files may change between two calls
    files = frozenset(name for name, parameter in operation.parameters.items()
                      if parameter.kind == "file")

    idle = {}  # works by their settings

    @functools.lru_cache(maxsize=64, typed=True)
    def remembered(**given):
        return _Settings(operation, given)

    def keep(work):
        work.kept = True
        work.samples = None  # the caller's array may go; the next call brings its own
        idle[work.settings] = work
        if len(idle) > MOST_IDLE:
            with contextlib.suppress(KeyError, RuntimeError, StopIteration):  # another thread did
                del idle[next(iter(idle))]

    def run(data, given):
        progress, outputs = given.pop("progress", None), given.get("outputs")
        if isinstance(outputs, Iterable) and not isinstance(outputs, str):
            given["outputs"] = outputs = tuple(outputs)
        plain = PLAIN.issuperset(type(value) for value in given.values() if value is not outputs)
        settings = remembered(**given) if plain else _Settings(operation, given)
        work = idle.pop(settings, None) or _work.Work(settings)
        result = _run(work, data, progress, 2)
        count = (data.size if type(data) is np.ndarray else
                 result._found.plan.count if data is None else FEW + 1)
        if (plain and count <= FEW and result.device.startswith("CPU")
                and files.isdisjoint(given)):
            keep(work)
        return result

    if operation.input == "none":
        def function(*data, **settings):
            if data:
                raise UsageError(f"{operation.id} is a simulation and takes no data; give "
                                 "only settings, by name")
            return run(None, settings)
    else:
        def function(data, /, **settings):
            return run(data, settings)

    function.__name__ = function.__qualname__ = operation.id
    function.__module__ = "vivograph"
    function.__doc__ = make_docstring(operation)
    function.__signature__ = make_signature(operation)
    return function
