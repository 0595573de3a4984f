# SPDX-License-Identifier: MIT
"""Arrays as the library takes them: which axis is which, sample types, and no copy if possible."""

import math

import numpy as np

from ._library import DeviceError, InputError, OutOfMemoryError, ffi, lib

#: one letter for each axis, in the order of VivographData.strides
AXES = "TZBYXC"
MEMBERS = ("frames", "slices", "bins", "height", "width", "channels")
TYPES = {np.dtype(np.uint8): lib.VIVOGRAPH_U8, np.dtype(np.uint16): lib.VIVOGRAPH_U16,
         np.dtype(np.uint32): lib.VIVOGRAPH_U32, np.dtype(np.float32): lib.VIVOGRAPH_F32}
#: names of dimensions of an xarray.DataArray
DIMENSIONS = {"time": "T", "t": "T", "frame": "T", "z": "Z", "slice": "Z", "bin": "B", "h": "B",
              "b": "B", "y": "Y", "row": "Y", "x": "X", "column": "X", "c": "C", "channel": "C"}
#: what to do if the maps do not fit into memory
FEWER = "choose fewer maps with outputs=[...], or give fewer frames at a time"
#: maps of fewer bytes are not compared with the free memory, whose query takes 13 us
UNCHECKED = 1 << 20
#: what describes the data and is no parameter of most operations
SCALES = {"frame_interval_s": float, "pixel_um": float, "significant_bits": int}
#: units of coordinates of an xarray.DataArray, in s, ns and um
UNITS = {"T": {"s": 1, "ms": 1e-3, "us": 1e-6, "min": 60, "h": 3600},
         "B": {"ns": 1, "ps": 1e-3, "us": 1e3},
         "X": {"um": 1, "\N{MICRO SIGN}m": 1, "\N{GREEK SMALL LETTER MU}m": 1, "nm": 1e-3,
               "mm": 1e3, "cm": 1e4}}


def default_axes(operation, ndim):
    """The axes of an array of an operation if the caller names none; "" if there is no rule."""
    if operation.needs_bins:
        return {3: "YXB", 4: "TYXB"}.get(ndim, "")
    if operation.takes_color:
        return {2: "YX", 3: "YXC"}.get(ndim, "")
    if operation.takes_volumes:
        return {3: "TYX", 4: "TZYX"}.get(ndim, "")
    return {2: "YX", 3: "TYX"}.get(ndim, "")


def _positions(array, letters, letter):
    """The coordinates of the axis LETTER in s, ns or um; None: there are none with a unit."""
    if letter not in letters:
        return None
    name = array.dims[letters.index(letter)]
    if name not in array.coords:
        return None
    values = np.asarray(array.coords[name].values)
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "iufmM":
        return None
    if values.dtype.kind in "mM":
        return (values - values[0]) / np.timedelta64(1, "s") if letter == "T" else None
    known = UNITS["X" if letter in "YZ" else letter]
    factor = known.get(str(array.coords[name].attrs.get("units", "")))
    return None if factor is None else values * float(factor)


def _step_of(positions):
    """The distance of POSITIONS that are evenly spaced, to within 1 %; 0: they are not."""
    if positions is None or len(positions) < 2:
        return 0.0
    steps = np.diff(positions)
    step = abs(float(steps.mean()))
    return step if step > 0 and np.ptp(steps) <= 0.01 * step else 0.0


def read_coordinates(array, letters):
    """The scales that the coordinates of an xarray.DataArray give, and the times of its frames."""
    if not hasattr(array, "coords") or not hasattr(array, "dims"):
        return {}, None
    scales = {}
    sizes = tuple(_step_of(_positions(array, letters, letter)) for letter in "XYZ")
    if any(sizes):
        scales["pixel_sizes_um"] = sizes
    width = _step_of(_positions(array, letters, "B"))
    if width:
        scales["bin_width_ns"] = width
    return scales, _positions(array, letters, "T")


def axes_text(axes):
    """AXES as a caller writes them, in our letters."""
    axes = "".join(map(str, axes)) if isinstance(axes, (tuple, list)) else str(axes)
    return axes.upper().replace("H", "B")


def _shape_of(array):
    """The shape of ARRAY, or of what numpy makes an array of."""
    try:
        shape = np.shape(array)
    except ValueError:
        raise InputError("the data are rows of different lengths; give an array") from None
    if shape == () and not hasattr(array, "shape"):
        raise TypeError(f"the data are of type {type(array).__name__}; give an array")
    return shape


def find_axes(operation, array, axes):
    """The letters of the axes of ARRAY."""
    dims = getattr(array, "dims", None)
    if axes is None and dims is not None:
        axes = "".join(DIMENSIONS.get(str(name).lower(), "?") for name in dims)
    shape = _shape_of(array)
    letters = default_axes(operation, len(shape)) if axes is None else axes_text(axes)
    if (len(letters) != len(shape) or len(set(letters)) != len(letters)
            or not set("YX") <= set(letters) <= set(AXES)):
        every = list(filter(None, (default_axes(operation, n) for n in (2, 3, 4))))
        fitting = next((usual for usual in every if len(usual) == len(shape)), every[0])
        what = (f"the axes {letters!r} do not fit" if letters
                else "the order of the axes is not known for")
        raise InputError(
            f"{what} an array of shape {shape}; name each axis once, as in axes=\"{fitting}\" "
            "(T frames, Z slices, B time bins, Y rows, X columns, C channels); "
            f"{operation.id} usually takes {' or '.join(every)}")
    return letters


#: the orders that arrays often have instead of the usual ones
OTHER_ORDERS = {"TYX": "YXT", "TZYX": "XYZT", "YXB": "BYX", "TYXB": "TBYX", "YXC": "CYX"}


def _elongation(letters, shape):
    """How many times as long as wide an image is."""
    sides = sorted(max(shape[letters.index(letter)], 1) for letter in "YX")
    return sides[1] / sides[0]


def find_order_hint(letters, shape):
    """What to say if LETTERS, which are usual but were not given, make images long and narrow, and
    another order makes them square or nearly so; "": nothing."""
    other = OTHER_ORDERS.get(letters)
    if other is None:
        return ""
    usual, instead = _elongation(letters, shape), _elongation(other, shape)
    if not (usual > 1.5 and instead == 1 or usual >= 3 * instead and instead <= 1.5):
        return ""
    moved, name = next((letter, name) for letter, name in (
        ("T", "frames"), ("B", "time bins"), ("C", "channels"))
        if letter in letters and letters.index(letter) != other.index(letter))
    return (f"Axis {other.index(moved)} of the array of shape {tuple(shape)} looks like the "
            f"{name}, but axis {letters.index(moved)} was read as the {name}. Give "
            f"axes=\"{other}\", or axes=\"{letters}\" if this is correct.")


def find_bits_hint(operation, letters, samples):
    """What to say if the largest of SAMPLES is just the largest of fewer bits, as in the image of a
    camera that is saturated; "": nothing.  Only the first frame counts."""
    if (operation.needs_bins or operation.takes_volumes or isinstance(samples, OnGpu)
            or samples.dtype.kind != "u" or samples.dtype.itemsize == 1):
        return ""
    # .max() of the array itself takes twice as long
    top = int(np.maximum.reduce(samples[0] if letters[0] == "T" else samples, axis=None))
    bits = top.bit_length()
    if top & (top + 1) or not 8 <= bits < 8 * samples.dtype.itemsize:
        return ""
    return (f"The largest sample is {top}, the largest value of {bits} bits. If the camera has "
            f"{bits} bits, give significant_bits={bits}, so that such samples count as saturated.")


def find_file_axes(operation, parameter, array, axes):
    """The letters of the axes of ARRAY, which stands in the place of a file: those of the data,
    AXES or the usual ones, without some that it lacks."""
    if getattr(array, "dims", None) is not None and set("xy") <= set(map(str, array.dims)):
        return find_axes(operation, array, None)
    usual = [default_axes(operation, n) for n in (4, 3)]
    letters = axes_text(axes) if axes is not None else next(filter(None, usual))
    alone = ("TYX", "YX") if "B" in letters else ()  # a decay
    for lacking in ("", "Z" if parameter.takes_several else "T", "T", "C", "TZ", *alone):
        rest = "".join(letter for letter in letters if letter not in lacking)
        if len(rest) == np.ndim(array):
            return rest
    raise InputError(f"{parameter.id} is an array of shape {np.shape(array)}; give one with the "
                     f"axes of the data, {letters}, or some of them")


def _fit_integers(array):
    """Whole numbers as unsigned ones if none is negative, else as floats that are exact."""
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    dtype = {1: np.uint8, 2: np.uint16}.get(array.dtype.itemsize, np.uint32)
    if low >= 0 and high <= np.iinfo(dtype).max:
        return array.astype(dtype)
    if low < -2 ** 24 or high > 2 ** 24:
        raise InputError(f"samples from {low} to {high} cannot be kept exactly; scale them, or "
                         "convert them to numpy.float32")
    return array.astype(np.float32)


def size_text(count):
    """COUNT bytes as a size with a unit."""
    for unit, shift in (("GiB", 30), ("MiB", 20)):
        if count >= 1 << shift:
            return f"{count / (1 << shift):.1f} {unit}"
    return f"{count / 1024:.1f} KiB"


def check_memory(count, what):
    """Raises an error if COUNT bytes for WHAT are not free in host memory."""
    if count < UNCHECKED:
        return
    free = lib.vivograph_memory_available()
    if count > free:
        raise OutOfMemoryError(f"{what} need {size_text(count)} of memory, but only "
                               f"{size_text(free)} is free; {FEWER}")


class OnGpu:
    """An array of CuPy or PyTorch that the library reads where it is."""

    def __init__(self, array):
        interface = array.__cuda_array_interface__
        self.array = array
        self.shape, self.dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
        self.packed = tuple(self.dtype.itemsize * math.prod(self.shape[i + 1:])
                            for i in range(len(self.shape)))
        self.strides = tuple(interface.get("strides") or self.packed)
        self.pointer = interface["data"][0]
        self.module = type(array).__module__.split(".")[0]

    def wait(self):
        """Until what was begun on the array has ended."""
        if self.module == "torch":
            import torch
            torch.cuda.current_stream(self.array.device).synchronize()
        else:
            import cupy
            with self.array.device:
                cupy.cuda.get_current_stream().synchronize()

    def empty(self, shape):
        """New 32-bit floats of the same library on the same GPU."""
        if self.module == "torch":
            import torch
            full = torch.cuda.OutOfMemoryError
        else:
            import cupy
            full = cupy.cuda.memory.OutOfMemoryError
        try:
            if self.module == "torch":
                return torch.empty(shape, dtype=torch.float32, device=self.array.device)
            with self.array.device:
                return cupy.empty(shape, cupy.float32)
        except full:
            raise DeviceError(
                f"a map of shape {shape} needs {size_text(4 * math.prod(shape))} of GPU memory, "
                f"which is not free; {FEWER}, or copy the samples to host memory") from None


def without_gradient(array):
    """ARRAY; of a tensor that records a gradient, its values, since only they can be read."""
    return array.detach() if getattr(array, "requires_grad", False) else array


def find_on_gpu(operation, array, letters):
    """ARRAY as an OnGpu if the library can read it there; None: it must be copied to the host."""
    if (operation.input != "stream" or not hasattr(array, "__cuda_array_interface__")
            or type(array).__module__.split(".")[0] not in ("cupy", "torch")):
        return None
    found = OnGpu(array)
    usable = (found.strides == found.packed and found.dtype in TYPES and 0 not in found.shape
              and list(letters) == sorted(letters, key=AXES.index))
    return found if usable else None


def _to_host(array):
    """ARRAY in host memory: of CuPy and PyTorch a copy, of what DLPack gives the same memory."""
    if hasattr(array, "__cuda_array_interface__"):
        if hasattr(array, "get"):
            return array.get()
        if hasattr(array, "cpu"):
            return array.cpu().numpy()
        raise TypeError(f"{type(array).__name__} is on a GPU; copy it to host memory first")
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array__"):
        return np.from_dlpack(array)
    return array


def to_samples(array):
    """ARRAY itself if its sample type can be used, else a converted copy."""
    if type(array) is np.ndarray and array.dtype in TYPES:
        return array
    array = _to_host(array)
    if np.ma.isMaskedArray(array):
        array = np.ma.filled(array.astype(np.float32), np.nan)
    array = np.asarray(array)
    if array.dtype in TYPES:  # of this byte order
        return array
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return array.astype(np.float32)
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if array.dtype.kind in "ui":
        return _fit_integers(array.astype(array.dtype.newbyteorder("=")))
    raise TypeError(f"samples of type {array.dtype} cannot be used; give whole numbers or floats")


def to_labels(values):
    """Whole numbers of a label output, whose missing values are the background."""
    return np.fmax(values, 0).astype(np.int32)


def pointer_to(array):
    """The address of the samples of ARRAY, in the host or on a GPU."""
    if isinstance(array, OnGpu):
        return array.pointer
    if isinstance(array, np.ndarray):
        return array.__array_interface__["data"][0]
    return array.__cuda_array_interface__["data"][0]


def describe(array, letters, scales, times):
    """A VivographData of ARRAY, and what must live as long as it."""
    data = ffi.new("VivographData *")
    strides = ffi.new("int64_t[6]")
    if 0 in array.shape:
        raise InputError(f"the array of shape {array.shape} has no samples")
    data.size = ffi.sizeof("VivographData")
    data.type = TYPES[array.dtype]
    for letter, extent, stride in zip(letters, array.shape, array.strides):
        axis = AXES.index(letter)
        setattr(data, MEMBERS[axis], extent)
        strides[axis] = stride
    data.device = isinstance(array, OnGpu)
    data.samples = ffi.cast("void *", pointer_to(array))
    data.strides = strides
    for name, value in scales.items():
        if name in ("pixel_um", "pixel_sizes_um"):
            data.pixel_size = [value, value, data.pixel_size[2]] if name == "pixel_um" else value
            data.pixel_unit = b"um"
        else:
            setattr(data, name, value)
    if times is not None:
        try:
            times = np.ascontiguousarray(times, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"times_s is {times!r}; give a number for each frame") from None
        frames = max(data.frames, 1)
        if times.shape != (frames,):
            raise InputError(f"times_s has the shape {times.shape}, but there are {frames} frames")
        data.times_s = ffi.from_buffer("double[]", times)
    return data, (array, strides, times)
