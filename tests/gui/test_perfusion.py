# SPDX-License-Identifier: MIT
"""Perfusion: vessels are drawn in the picture and the maps follow them."""
import re
import vg_gui
from test_simulation import distance
from test_read_options import picture
from test_volumes import FILE, write_volume

LIVER = ("--operation", "perfusion", "--sample", "ellipse", "--backend", "cpu")


def start(program):
    app = vg_gui.App(program, *LIVER)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("the finished fit", lambda: peak(app))
    return app


def peak(app):
    """The artery's peak in mM, as the status line tells it; None: not yet."""
    # looked for once, because the window has many labels, and again where it has gone
    node, app.peak_label = getattr(app, "peak_label", None), None
    if node is None or "Peak in the artery" not in read(node):
        node = next((node for node in app.walk()
                     if re.search("Peak in the artery.*[0-9]", node.name)), None)
    found = node and re.search("Peak in the artery[^0-9]*([0-9.]+)", read(node))
    app.peak_label = node
    return found and float(found.group(1))


def read(node):
    node.clear_cache()
    return node.name


def draw(app, x0, y0, x1, y1):
    """A rectangle between two places of the picture, as parts of it."""
    x, y, width, height = app.box(picture(app))
    app.choose_tool("Rectangle tool")
    app.drag(int(x + x0 * width), int(y + y0 * height), int(x + x1 * width), int(y + y1 * height))


def place(app, u, v):
    """A point of the picture's box, as parts of it."""
    x, y, width, height = app.box(picture(app))
    return int(x + u * width), int(y + v * height)


def use_region(app, row):
    vg_gui.wait_for("the region's use", lambda: [
        node for node in app.walk()
        if node.name == "Use the selected region" and node.getRoleName() == "push button"
    ][row].queryAction().doAction(0))


def vessels(program):
    """Two regions are drawn and become the vessels; moved, the maps follow."""
    app = start(program)
    at_start = vg_gui.steady("the artery", lambda: peak(app))
    assert at_start > 5, at_start
    first = app.colors(picture(app))
    app.show_page("Input curves")
    draw(app, 0.35, 0.3, 0.40, 0.4)
    use_region(app, 0)
    vg_gui.wait_for("the curve of tissue as the artery's",
                    lambda: peak(app) and peak(app) < 0.5 * at_start)
    tissue = vg_gui.steady("the curve", lambda: peak(app))
    # the artery, which is selected, is dragged into the tumour and taken back
    curves = app.colors(app.get("image", "Input curves"))
    app.choose_tool("Hand tool")
    app.drag(*place(app, 0.375, 0.35), *place(app, 0.55, 0.5))
    vg_gui.wait_for("another artery", lambda: abs(peak(app) - tissue) > 0.01 * tissue)
    vg_gui.wait_for(
        "other curves",
        lambda: distance(app.colors(app.get("image", "Input curves")), curves) > 1e-4)
    app.keys("ctrl+z")
    vg_gui.wait_for("the artery where it was", lambda: peak(app) == tissue)
    draw(app, 0.6, 0.7, 0.65, 0.8)
    use_region(app, 1)
    vg_gui.wait_for("the names of two vessels of the sample and one drawn",
                    lambda: len(region_names(app)) >= 3)
    vg_gui.wait_for("other maps", lambda: distance(app.colors(picture(app)), first) > 1e-3)
    # every parameter of a voxel, with errors, and of the region that is selected
    app.choose_tool("Hand tool")
    app.click(picture(app))
    vg_gui.wait_for("the voxel's page", lambda: "Curve" in app.pages())
    for label in ("Arterial inflow", "Portal inflow", "Outflow rate", "Arterial delay", "R\u00b2",
                  "Status"):
        vg_gui.wait_for("the voxel's " + label, lambda: app.has_label(label))
    vg_gui.wait_for(
        "a value with its error and unit", lambda: any(
            re.match(r"[\d.]+ \u00b1 [\d.]+ ml/100g/min$", node.name) for node in app.walk()))
    app.close()


def region_names(app):
    return [node for node in app.walk() if node.name == "Name of the region"]


def shown(app):
    return app.shown_map()


def models(program):
    """Another model shows its rate, and the first model shows the map that was chosen before.
    Regions and files of one series are not applied to the next one; undo restores them."""
    write_volume()
    app = start(program)
    vg_gui.wait_for("the map", lambda: "Total inflow" in shown(app))
    app.pick("Map", "Portal inflow, ml/100g/min")
    vg_gui.wait_for("another map", lambda: "Portal inflow" in shown(app))
    app.pick("Model", "Extended Tofts")
    vg_gui.wait_for("the other model's rate", lambda: "Transfer constant" in shown(app))
    app.pick("Model", "One compartment")
    app.click(app.get("page tab", "Display"))
    vg_gui.wait_for("the map before", lambda: "Portal inflow" in shown(app))
    app.show_page("Table")
    vg_gui.wait_for("the vessels", lambda: region_names(app))
    marked = vg_gui.steady("the vessels", lambda: len(region_names(app)))
    app.keys("ctrl+o")
    app.dialog_path(FILE)
    vg_gui.wait_for("the population's curve",
                    lambda: app.has_label("Peak of the population AIF"))
    vg_gui.wait_for("no vessels", lambda: not region_names(app))
    app.keys("ctrl+z")
    vg_gui.wait_for("the vessels again", lambda: len(region_names(app)) == marked)
    app.close()


def found(app):
    return [node for node in app.walk() if re.search("voxels in .* slices were found", node.name)]


def find(program):
    """Vessels that are not marked are found in the data, and one undo takes all of them back."""
    app = start(program)
    app.show_page("Table")
    vg_gui.wait_for("the vessels", lambda: region_names(app))
    marked = vg_gui.steady("the vessels", lambda: len(region_names(app)))
    # in the settings; of this sample the vessels are marked, but not the liver
    app.press("push button", "Find Vessels and Liver")
    vg_gui.wait_for("the liver's region in each of three slices",
                    lambda: len(region_names(app)) == marked + 3)
    vg_gui.wait_for("the notice", lambda: found(app))
    app.keys("ctrl+z")
    vg_gui.wait_for("the liver taken back", lambda: len(region_names(app)) == marked)
    vg_gui.wait_for("the notice taken back", lambda: not found(app))
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("the liver again", lambda: len(region_names(app)) == marked + 3)
    app.keys("ctrl+z")
    vg_gui.wait_for("the liver taken back again", lambda: len(region_names(app)) == marked)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(vessels, models, find)
