# SPDX-License-Identifier: MIT
"""The napari plugin on a viewer that only keeps its layers; napari itself is not needed."""

import importlib
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import vivograph


class Signal:
    def __init__(self):
        self.functions = []

    def connect(self, function):
        self.functions.append(function)

    def __call__(self, *values):
        for function in self.functions:
            function(*values)


class Widget:
    def __init__(self, value=None, **_):
        self.value = value

    def reset_choices(self, *_):
        pass


class Container:
    def __init__(self, **_):
        self.changed = Signal()

    def extend(self, widgets):
        pass


class Layer(SimpleNamespace):
    _type_string = "image"
    __eq__ = object.__eq__


class Layers(list):
    def __init__(self):
        super().__init__()
        self.events = SimpleNamespace(inserted=Signal(), removed=Signal())

    def __contains__(self, name):
        return any(layer.name == name for layer in self)

    def __getitem__(self, name):
        return next(layer for layer in self if layer.name == name)


class Viewer:
    def __init__(self):
        self.layers = Layers()

    def add_image(self, data, **options):
        self.layers.append(Layer(data=data, **options))

    add_labels = add_image


def run_at_once(run, connect):
    def start():
        try:
            result = run()
        except vivograph.Error as error:
            connect["errored"](error)
        else:
            connect["returned"](result)

    return start


@pytest.fixture
def plugin(monkeypatch):
    widgets = ModuleType("magicgui.widgets")
    widgets.CheckBox = widgets.ComboBox = widgets.Label = widgets.create_widget = Widget
    widgets.Container = Container
    threading = ModuleType("napari.qt.threading")
    threading.thread_worker = run_at_once
    for name, module in {"magicgui": ModuleType("magicgui"), "magicgui.widgets": widgets,
                         "napari": ModuleType("napari"), "napari.qt": ModuleType("napari.qt"),
                         "napari.qt.threading": threading}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "vivograph._napari", raising=False)
    yield importlib.import_module("vivograph._napari")
    sys.modules.pop("vivograph._napari", None)


@pytest.fixture
def panel(plugin, noise):
    viewer = Viewer()
    viewer.add_image(noise.integers(100, 4000, (4, 24, 30), dtype=np.uint16), name="frames",
                     metadata={}, scale=[0.5, 2.0, 3.0], translate=[0.0, 7.0, 8.0])
    panel = plugin.Panel(vivograph.operations["flow"], viewer)
    panel._layer.value, panel._axes.value = viewer.layers["frames"], "automatic"
    return panel


def set_value(panel, name, value):
    panel._editors[name].value = value
    panel.changed()


def test_layers_follow_settings(panel):
    layers = panel._viewer.layers
    set_value(panel, "radius", 2)
    layer = layers["flow contrast"]
    assert layer.metadata["vivograph"]["radius"] == "2" and layer.data.shape == (4, 24, 30)
    set_value(panel, "radius", 4)
    assert layers["flow contrast"] is layer and layer.metadata["vivograph"]["radius"] == "4"


def test_layers_lie_on_the_input(panel):
    panel.changed()
    layer = panel._viewer.layers["flow contrast"]
    assert layer.scale == [0.5, 2, 3] and layer.translate == [0, 7, 8]
    panel._layer.value.scale = [1.0, 4.0, 5.0]
    panel.changed()
    assert layer.scale == [1, 4, 5]


def test_absent_maps_are_removed(panel):
    layers = panel._viewer.layers
    layers.append(Layer(name="flow speed", metadata={}))  # of the user
    panel.changed()
    before = {layer.name for layer in layers}
    set_value(panel, "method", "temporal")
    set_value(panel, "frames", 3)
    set_value(panel, "pulse", True)
    during = {layer.name for layer in layers}
    assert before < during
    set_value(panel, "pulse", False)
    set_value(panel, "method", "spatial")
    assert {layer.name for layer in layers} == before


def test_a_failure_ends_the_run(panel, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("no")

    monkeypatch.setattr(panel._viewer, "add_image", refuse)
    with pytest.raises(RuntimeError):
        panel.changed()
    assert not panel._running and panel._says.value
    monkeypatch.undo()
    panel.changed()
    assert "flow contrast" in panel._viewer.layers


def test_pixels_of_a_simulation(plugin):
    viewer = Viewer()
    panel = plugin.Panel(vivograph.operations["fluence"], viewer)
    set_value(panel, "photons", 1000)
    for layer in viewer.layers:
        assert len(layer.scale) == layer.data.ndim and min(layer.scale) > 0
