# SPDX-License-Identifier: MIT
"""The tables of operations, as Python values."""

from dataclasses import dataclass, field
from typing import Dict, Optional, Tuple

from ._library import ffi, lib, text_of

PARAM_KINDS = {lib.VIVOGRAPH_PARAM_INT: "int", lib.VIVOGRAPH_PARAM_FLOAT: "float",
               lib.VIVOGRAPH_PARAM_BOOL: "bool", lib.VIVOGRAPH_PARAM_CHOICE: "choice",
               lib.VIVOGRAPH_PARAM_FILE: "file", lib.VIVOGRAPH_PARAM_REGION: "region",
               lib.VIVOGRAPH_PARAM_TABLE: "table", lib.VIVOGRAPH_PARAM_ACTION: "action"}
OUTPUT_KINDS = {lib.VIVOGRAPH_OUTPUT_MAP: "map", lib.VIVOGRAPH_OUTPUT_LABELS: "labels",
                lib.VIVOGRAPH_OUTPUT_TEXT: "text"}
INPUTS = {lib.VIVOGRAPH_INPUT_NONE: "none", lib.VIVOGRAPH_INPUT_STREAM: "stream",
          lib.VIVOGRAPH_INPUT_DATASET: "dataset"}


@dataclass(frozen=True)
class Parameter:
    """One setting of an operation."""

    id: str
    label: str
    help: str
    unit: str
    kind: str  #: int, float, bool, choice, file, region or table
    default: object
    minimum: Optional[float]
    maximum: Optional[float]
    choices: Tuple[str, ...]
    automatic: bool  #: 0 means that the value is found from the data
    takes_image: bool = False  #: a file that may be given as an array of samples
    takes_table: bool = False  #: a file that may be given as rows of numbers
    takes_several: bool = False  #: several files may be named
    columns: int = 0  #: of a table
    metric: str = ""  #: that has the value that was found from the data


@dataclass(frozen=True)
class Output:
    """A map, an image of labels, or a text that an operation computes."""

    id: str
    label: str
    help: str
    unit: str  #: with the default settings
    kind: str  #: map, labels or text
    index: int
    view_only: bool  #: not written by the command line, nor returned here

    @property
    def is_map(self):
        """True of a map or an image of labels that a result can have."""
        return self.kind != "text" and not self.view_only


@dataclass(frozen=True)
class Operation:
    """What can be computed."""

    id: str
    title: str
    summary: str
    citation: str
    input: str  #: none, stream or dataset
    needs_bins: bool
    takes_color: bool
    takes_volumes: bool
    parameters: Dict[str, Parameter] = field(default_factory=dict)
    outputs: Dict[str, Output] = field(default_factory=dict)


def _default(kind, row, choices):
    if kind == "choice":
        return choices[int(row.initial)]
    if kind in ("int", "bool"):
        return int(row.initial) if kind == "int" else bool(row.initial)
    return float(f"{row.initial:.7g}") if kind == "float" else None  # often a 32-bit float


def _parameter(row):
    kind = PARAM_KINDS[row.kind]
    choices = []
    while row.choices and row.choices[len(choices)]:
        choices.append(text_of(row.choices[len(choices)]))
    limited = kind in ("int", "float")
    return Parameter(text_of(row.id), text_of(row.label), text_of(row.help), text_of(row.unit),
                     kind, _default(kind, row, choices), row.min if limited else None,
                     row.max if limited else None, tuple(choices), bool(row.automatic),
                     bool(row.takes_data), bool(row.takes_content), bool(row.takes_several),
                     row.columns, text_of(row.metric))


def _rows(function, ctype, *first):
    row = ffi.new(ctype)
    i = 0
    while function(*first, i, row) == lib.VIVOGRAPH_OK:
        yield i, row
        i += 1


def _operation(row):
    parameters, outputs = {}, {}
    for _, found in _rows(lib.vivograph_param, "VivographParam *", row.id):
        if PARAM_KINDS[found.kind] != "action":
            entry = _parameter(found)
            parameters[entry.id] = entry
    for i, found in _rows(lib.vivograph_output, "VivographOutput *", row.id):
        outputs[text_of(found.id)] = Output(
            text_of(found.id), text_of(found.label), text_of(found.help), text_of(found.unit),
            OUTPUT_KINDS[found.kind], i, bool(found.view_only))
    return Operation(text_of(row.id), text_of(row.title), text_of(row.summary),
                     text_of(row.citation), INPUTS[row.input], bool(row.needs_bins),
                     bool(row.takes_color), bool(row.takes_volumes), parameters, outputs)


def load():
    """All operations of the library, by id."""
    found = [_operation(row) for _, row in _rows(lib.vivograph_operation, "VivographOperation *")]
    return {operation.id: operation for operation in found}
