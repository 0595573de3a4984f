# SPDX-License-Identifier: MIT
"""The shared library, and its errors as exceptions."""

import functools
import os
import re
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent
NAME = "libvivograph.so.0"


class Error(Exception):
    """Something went wrong in Vivograph; the text says what, where, and what to do."""


class UsageError(Error, ValueError):
    """An unknown name, a value out of range, or data that a simulation does not take."""


class InputError(Error, ValueError):
    """Data that the operation cannot use, or a file that cannot be read."""


class OutOfMemoryError(Error, MemoryError):
    """The computation would not fit into memory."""


class DeviceError(Error, RuntimeError):
    """The GPU is missing, lost or full."""


class Cancelled(Error):
    """The computation was cancelled."""


class FailedError(Error, RuntimeError):
    """The operation failed."""


class ResultWarning(UserWarning):
    """The maps are likely to be wrong; the text says why, and what to do."""


EXCEPTIONS = {-1: UsageError, -2: InputError, -3: OutOfMemoryError, -4: DeviceError,
              -5: Cancelled, -6: FailedError}


def _declarations():
    """What the header declares, without what only a C compiler understands."""
    for path in (HERE / "vivograph.h", HERE.parents[1] / "lib" / "vivograph.h"):
        if path.is_file():
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
            return re.sub(r"^\s*#.*$", "", text, flags=re.M)
    raise ImportError(f"vivograph.h is not in {HERE}; install the package again")


def _candidates():
    chosen = os.environ.get("VIVOGRAPH_LIBRARY")
    if chosen:
        return [chosen]
    try:
        from ._installed import LIBRARY as built
    except ImportError:
        built = str(HERE.parents[1] / "build" / "lib" / NAME)
    return ([built] if os.path.isfile(built) else []) + [NAME]


def _open():
    reasons = []
    for candidate in _candidates():
        try:
            return ffi.dlopen(candidate)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        f"the C library of Vivograph cannot be loaded ({'; '.join(reasons)}). pip installs only "
        "the Python part. Build the library in a clone with scripts/setup, then install it with "
        "sudo meson install -C build, or set VIVOGRAPH_LIBRARY to the path of build/lib/" + NAME)


ffi = cffi.FFI()
ffi.cdef(_declarations())
lib = _open()


def text_of(pointer):
    """A C string, "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


@functools.lru_cache(maxsize=None)
def fixed_texts(*addresses):
    """The C strings at ADDRESSES, which the library never frees."""
    return [text_of(ffi.cast("char *", address)) for address in addresses]


def check(status, error):
    """Returns STATUS, or raises what it stands for with the text of ERROR."""
    if status < 0:
        raise EXCEPTIONS.get(status, Error)(text_of(error.message))
    return status
