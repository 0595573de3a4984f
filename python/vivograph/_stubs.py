# SPDX-License-Identifier: MIT
"""Prints `__init__.pyi`, the types of the package for editors and type checkers.
`scripts/update-docs` writes the file."""

from . import operations
from ._functions import common_options

TYPES = {"int": "int", "float": "float", "bool": "bool", "str": "str", "array": "ArrayLike",
         "names": "str | Iterable[str]",
         "bool or callable": "bool | Callable[[float], object]",
         "file": "str | PathLike[str] | Sequence[str | PathLike[str]] | ArrayLike",
         "region": "str", "table": "str | ArrayLike"}
HEAD = '''# SPDX-License-Identifier: MIT
# Made from the tables of the library by scripts/update-docs.
from os import PathLike
from typing import Callable, Iterable, Literal, Sequence

from numpy import ndarray
from numpy.typing import ArrayLike, DTypeLike

from ._library import (Cancelled as Cancelled, DeviceError as DeviceError, Error as Error,
                       FailedError as FailedError, InputError as InputError,
                       OutOfMemoryError as OutOfMemoryError, ResultWarning as ResultWarning,
                       UsageError as UsageError)
from ._result import Metric as Metric, Result as Result
from ._tables import Operation as Operation, Output as Output, Parameter as Parameter

__version__: str
operations: dict[str, Operation]


def empty(shape: int | tuple[int, ...], dtype: DTypeLike = ...) -> ndarray: ...


class Reusable:
    def __init__(self, operation: str, /, **settings: object) -> None: ...
    def __call__(self, data: ArrayLike | None = ..., /) -> Result: ...
'''


def _type_of(parameter):
    if parameter.kind == "choice":
        return "Literal[" + ", ".join(f'"{choice}"' for choice in parameter.choices) + "]"
    return TYPES[parameter.kind]


def make_stub():
    """The text of `__init__.pyi`."""
    text = HEAD
    for operation in operations.values():
        text += f"\n\ndef {operation.id}(\n"
        text += "" if operation.input == "none" else "    data: ArrayLike, /,\n"
        text += "    *,\n"
        for name, parameter in operation.parameters.items():
            text += f"    {name}: {_type_of(parameter)} | None = ...,\n"
        for name, (_, kind, _) in common_options(operation).items():
            text += f"    {name}: {TYPES[kind]} | None = ...,\n"
        text += ") -> Result: ...\n"
    return text


if __name__ == "__main__":
    print(make_stub(), end="")
