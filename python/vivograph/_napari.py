# SPDX-License-Identifier: MIT
"""The napari plugin: an image layer in, a layer for each map out, again when a setting moves."""

import functools

from magicgui.widgets import CheckBox, ComboBox, Container, Label, create_widget
from napari.qt.threading import thread_worker

from . import _arrays, _functions, operations

EDITED = ("int", "float", "bool", "choice")


def _make_editor(parameter):
    """A widget for PARAMETER, with its range, unit and help."""
    label = f"{parameter.label} ({parameter.unit})" if parameter.unit else parameter.label
    options = {"tooltip": parameter.help}
    if parameter.kind == "choice":
        options["choices"] = list(parameter.choices)
    elif parameter.kind != "bool":
        options.update(min=parameter.minimum, max=parameter.maximum)
    kinds = {"choice": str, "int": int, "float": float, "bool": bool}
    kind = {"choice": "ComboBox", "bool": "CheckBox", "int": "SpinBox", "float": "FloatSpinBox"}
    return create_widget(value=parameter.default, annotation=kinds[parameter.kind],
                         name=parameter.id, label=label, widget_type=kind[parameter.kind],
                         options=options)


class Panel(Container):
    """The settings of one operation.  A change computes again, unless a run is under way: then it
    does so at the end of that run."""

    def __init__(self, operation, viewer):
        super().__init__(labels=True)
        self._operation, self._viewer = operation, viewer
        self._running = self._again = False
        self._layer = ComboBox(label="Layer", nullable=True, choices=self._list_layers)
        self._axes = ComboBox(label="Axes", choices=["automatic", "YX", "TYX", "ZYX", "TZYX", "YXC",
                                                     "YXB", "BYX", "TYXB", "TBYX"])
        self._live = CheckBox(text="Compute at every change", value=True)
        self._says = Label(value="")
        self._editors = {name: _make_editor(parameter)
                         for name, parameter in operation.parameters.items()
                         if parameter.kind in EDITED}
        if operation.input != "none":
            self.extend([self._layer, self._axes])
        self.extend([self._live, *self._editors.values(), self._says])
        for event in (viewer.layers.events.inserted, viewer.layers.events.removed):
            event.connect(self._layer.reset_choices)
        self.changed.connect(self.compute)
        self._start = {name: editor.value for name, editor in self._editors.items()}

    def _list_layers(self, _=None):
        return [layer for layer in self._viewer.layers
                if layer._type_string == "image" and "vivograph" not in layer.metadata]

    def _given(self):
        """The settings that the user has moved; the others are found from the data."""
        return {name: editor.value for name, editor in self._editors.items()
                if editor.value != self._start[name]}

    def compute(self, *_):
        """Computes the maps of the chosen layer on another thread."""
        if not self._live.value or (self._operation.input != "none" and self._layer.value is None):
            return
        if self._running:
            self._again = True
            return
        self._running = True
        layer, axes = self._layer.value, self._axes.value
        data = [] if self._operation.input == "none" else [layer.data]
        options = {} if axes == "automatic" or not data else {"axes": axes}
        run = functools.partial(_functions.make_function(self._operation), *data, **options,
                                **self._given())
        show = functools.partial(self._show, layer if data else None, options.get("axes"))
        thread_worker(run, connect={"returned": show, "errored": self._fail})()

    def _end(self, text):
        self._says.value = text
        self._running = False
        if self._again:
            self._again = False
            self.compute()

    def _fail(self, error):
        self._end(str(error))

    def _show(self, layer, axes, result):
        says = "The maps could not be shown; choose other settings"
        try:
            self._remove_absent(result)
            letters = layer and _arrays.find_axes(self._operation, layer.data, axes)
            for i, name in enumerate(result):
                self._show_map(result, name, _find_place(result, name, layer, letters), i == 0)
            says = "\n".join([result.device, *result.notices])
        finally:
            self._end(says)

    def _title_of(self, name):
        return f"{self._operation.id} {name}"

    def _remove_absent(self, result):
        """Removes the layers of maps that these settings do not give."""
        titles = {self._title_of(name) for name in self._operation.outputs if name not in result}
        for layer in [layer for layer in self._viewer.layers
                      if layer.name in titles and "vivograph" in layer.metadata]:
            self._viewer.layers.remove(layer)

    def _show_map(self, result, name, place, visible):
        title, kind = self._title_of(name), self._operation.outputs[name].kind
        values = result[name]
        metadata = {"vivograph": result.parameters, "unit": result.units[name]}
        if title not in self._viewer.layers:
            add = self._viewer.add_labels if kind == "labels" else self._viewer.add_image
            add(values, name=title, visible=visible, metadata=metadata, **place)
            return
        layer = self._viewer.layers[title]
        layer.data, layer.metadata = values, metadata
        layer.scale, layer.translate = place["scale"], place["translate"]


def _find_place(result, name, layer, letters):
    """The scale and translation of a map.  If it has the pixels of LAYER, whose axes are LETTERS,
    they are those of LAYER; else the scale is the size of the map's own pixels, if it is known."""
    plane = result._planes[name]
    axes = [letter for letter, there in zip("TZ", plane["axes"]) if there] + ["Y", "X"]
    shape = dict(zip(letters or "", layer.data.shape if layer else ()))
    scale, shift = {}, {}
    if plane["shape"][1:] == (shape.get("Y"), shape.get("X")):
        scale, shift = dict(zip(letters, layer.scale)), dict(zip(letters, layer.translate))
    elif all(plane["pixel_size"]):
        scale = {letter: abs(size) for letter, size in zip("XY", plane["pixel_size"])}
    return {"scale": [float(scale.get(letter, 1)) for letter in axes],
            "translate": [float(shift.get(letter, 0)) for letter in axes]}


def _panel_of(operation):
    def make(viewer: "napari.viewer.Viewer"):
        return Panel(operation, viewer)

    make.__annotations__["viewer"] = "napari.viewer.Viewer"
    return make


globals().update({name: _panel_of(operation) for name, operation in operations.items()})
