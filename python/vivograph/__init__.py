# SPDX-License-Identifier: MIT
"""Maps of living tissue from arrays: blood flow, lifetimes, light, perfusion, outlines.

    import vivograph
    result = vivograph.flow(frames, exposure_ms=5)
    result["contrast"], result.units["contrast"], result.metrics

There is a function for each operation in `vivograph.operations`; help(vivograph.flow) lists its
parameters with units and ranges.  Ctrl+C ends a run.  Functions may run in several threads."""

from . import _functions, _tables
from ._library import (Cancelled, DeviceError, Error, FailedError, InputError, OutOfMemoryError,
                       ResultWarning, UsageError, lib as _lib, text_of as _text_of)
from ._functions import Reusable
from ._memory import empty
from ._result import Metric, Result
from ._tables import Operation, Output, Parameter

__version__ = _text_of(_lib.vivograph_version())

#: what can be computed, by id
operations = _tables.load()

globals().update({_name: _functions.make_function(_operation)
                  for _name, _operation in operations.items()})

__all__ = ["Cancelled", "DeviceError", "Error", "FailedError", "InputError", "Metric", "Operation",
           "OutOfMemoryError", "Output", "Parameter", "Result", "ResultWarning", "Reusable",
           "UsageError", "empty", "operations", *operations]
