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
        thread_worker(run, connect={"returned": self._show, "errored": self._fail})()

    def _end(self, text):
        self._says.value = text
        self._running = False
        if self._again:
            self._again = False
            self.compute()

    def _fail(self, error):
        self._end(str(error))

    def _show(self, result):
        first = next(iter(result), None)
        for name, values in result.items():
            kind = self._operation.outputs[name].kind
            title = f"{self._operation.id} {name}"
            if title in self._viewer.layers:
                self._viewer.layers[title].data = _as_layer(values, kind)
                continue
            add = self._viewer.add_labels if kind == "labels" else self._viewer.add_image
            add(_as_layer(values, kind), name=title, visible=name == first,
                metadata={"vivograph": result.parameters, "unit": result.units[name]})
        self._end("\n".join([result.device, *result.notices]))


def _as_layer(values, kind):
    return _arrays.to_labels(values) if kind == "labels" else values


def _panel_of(operation):
    def make(viewer: "napari.viewer.Viewer"):
        return Panel(operation, viewer)

    make.__annotations__["viewer"] = "napari.viewer.Viewer"
    return make


globals().update({name: _panel_of(operation) for name, operation in operations.items()})
