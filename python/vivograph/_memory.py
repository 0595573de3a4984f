# SPDX-License-Identifier: MIT
"""Arrays in page-locked memory, which a GPU copies several times as fast as other memory."""

import functools
import math

import numpy as np

from ._library import OutOfMemoryError, ffi, lib

#: bytes of freed arrays that are kept for the next ones, because locking pages takes long
MOST_SPARE = 64 << 20
_spare = {}  # their addresses by size
_kept = [0]  # their bytes


def _drop():
    for size in list(_spare):
        while (address := _take_spare(size)) is not None:
            lib.vivograph_memory_free(address)


def _give_back(size, address):
    if _kept[0] + size > MOST_SPARE:
        _drop()  # which may be of sizes that are not used any more
    if size > MOST_SPARE:
        lib.vivograph_memory_free(address)
        return
    _kept[0] += size
    _spare.setdefault(size, []).append(address)


def _take_spare(size):
    try:
        address = _spare.get(size, []).pop()
    except IndexError:
        return None
    _kept[0] -= size
    return address


def _take(size):
    return _take_spare(size) or lib.vivograph_memory_new(size)


def empty(shape, dtype=np.float32):
    """A new array like numpy.empty, in page-locked memory if there is a GPU.

    A GPU reads samples from such an array several times as fast as from another.  Making one
    takes longer, so make it once and fill it again.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : data type

    Returns
    -------
    numpy.ndarray
    """
    dtype = np.dtype(dtype)
    shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    count = math.prod(shape)
    if dtype.hasobject or count <= 0:
        return np.empty(shape, dtype)
    size = count * dtype.itemsize
    address = _take(size)
    if address == ffi.NULL:
        raise OutOfMemoryError(f"an array of shape {shape} needs {size} bytes, which are not free; "
                               "make a smaller one")
    owner = ffi.gc(address, functools.partial(_give_back, size))
    return np.frombuffer(ffi.buffer(owner, size), dtype, count).reshape(shape)
