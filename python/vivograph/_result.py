# SPDX-License-Identifier: MIT
"""What an operation has computed."""

import difflib
from typing import Iterator, Mapping, NamedTuple

import numpy as np


class Metric(NamedTuple):
    """A number that describes the whole result."""

    id: str
    label: str
    unit: str
    value: float  #: NaN: unknown
    advice: str  #: what to do about it; "": nothing


class Result(Mapping[str, np.ndarray]):
    """The maps of one run, by their id: numpy arrays of 32-bit floats; NaN is a missing value.
    Labels are 32-bit integers; 0 is the background.

    A map of a stream has the frame as its first axis if the input had a T axis; a map of a volume
    has the slice before rows and columns.

    Attributes
    ----------
    units : dict of str
        Unit of each map, "" without one.
    metrics : dict of Metric
        Numbers of the whole result; for a stream those of the last frame.
    texts : dict of str
        Tables and lists as text, such as CSV and GeoJSON.
    parameters : dict of str
        The value of each parameter that was used, as text, also if it was found from the data.
    frames : list of int
        For a stream: the frames that the maps belong to, from 0.
    times_s : list of float or None
        The times of these frames, in s; None if neither times nor a frame interval are known.
    device : str
        The device that computed, such as "CPU, 8 threads".
    notices : list of str
        What the user should know, such as that a bin width was assumed or that the CPU has taken
        over from the GPU.  Those after which the maps are likely to be wrong are also a
        ResultWarning.
    """

    #: attributes that are made when they are first read
    _LATER = frozenset(["_maps", "_planes", "_labels", "units", "metrics", "texts", "parameters",
                        "frames", "times_s"])

    def __init__(self, operation, found):
        self.operation, self._found = operation, found
        self.notices, self.device = [], ""
        self._warnings = found.metrics.warnings  # those of the notices that are grave

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._maps[name]
        except KeyError:
            where = {**dict.fromkeys(self.metrics, ".metrics"),
                     **dict.fromkeys(self.texts, ".texts"), **dict.fromkeys(self._maps, "")}
            near = difflib.get_close_matches(str(name), where, 1)
            hint = (f"did you mean result{where[near[0]]}[{near[0]!r}]?" if near
                    else f"the maps are {', '.join(self._maps)}")
            raise KeyError(f"there is no map {name!r} with these settings; {hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._maps)

    def __len__(self) -> int:
        return len(self._maps)

    def __repr__(self):
        lines = [f"{name:24} {str(values.shape):18} {self.units[name]}".rstrip()
                 for name, values in self._maps.items()]
        return "\n".join([f"<vivograph {self.operation}, {self.device}>", *lines, *self.notices])

    def __getattr__(self, name):
        found = self.__dict__.get("_found")
        if found is not None and name in self._LATER:
            return self.__dict__.setdefault(name, getattr(found, "find_" + name)())
        try:
            return ({} if name.startswith("_") else self._maps)[name]
        except KeyError:
            raise AttributeError(f"{self.__dict__.get('operation', 'the result')} has no map or "
                                 f"attribute {name!r} with these settings") from None

    def __getstate__(self):
        """Makes all attributes, because Found refers to memory of the library."""
        return {**{name: getattr(self, name) for name in self._LATER}, **self.__dict__,
                "_found": None}

    def _dimensions(self, name, values):
        plane = self._planes[name]
        names = [letter for letter, there in zip("tz", plane["axes"]) if there]
        suffix = "" if plane["key"] == self._planes[next(iter(self._maps))]["key"] else "_" + name
        return (*names, "y" + suffix, "x" + suffix), suffix

    def to_xarray(self):
        """All maps as an xarray.Dataset with coordinates and units.

        Returns
        -------
        xarray.Dataset
        """
        import xarray

        variables, coordinates = {}, {}
        for name, values in self._maps.items():
            dimensions, suffix = self._dimensions(name, values)
            variables[name] = (dimensions, values,
                               {"units": self.units[name], "long_name": self._labels[name]})
            plane = self._planes[name]
            for axis, extent in (("x", values.shape[-1]), ("y", values.shape[-2])):
                i = "xy".index(axis)
                size, first = plane["pixel_size"][i], plane["origin"][i]
                if size:
                    coordinates[axis + suffix] = (
                        axis + suffix, [first + size * k for k in range(extent)],
                        {"units": plane["unit"]})
            if "t" in dimensions:
                known = self.times_s is not None
                coordinates["t"] = ("t", self.times_s if known else self.frames,
                                    {"units": "s" if known else "frame"})
        return xarray.Dataset(variables, coordinates, {"operation": self.operation,
                                                      **self.parameters})
