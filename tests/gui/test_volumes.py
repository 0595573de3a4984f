# SPDX-License-Identifier: MIT
"""Volumes: all slices side by side, and the input under a map with its opacity
and its time point."""
import time
import vg_gui


def start(program):
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu")
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"), 60)
    return app


def picture(app):
    return app.get("image", "Result picture")


def redness(app):
    """How far the picture is from grey: its maps are, the anatomy is not."""
    red, _, blue, _ = app.colors(picture(app))
    return red - blue


def lay_over(program):
    app = start(program)
    app.click(app.get("page tab", "Display"))
    assert app.value("slider", "Opacity of the map, %") == 70
    seen = redness(app)
    assert seen > 0.01, seen
    app.set_value("slider", "Opacity of the map, %", 0)
    vg_gui.wait_for("the anatomy alone", lambda: redness(app) < 0.7 * seen)
    alone = app.colors(picture(app))
    app.set_value("slider", "Time point under the map", 1)
    vg_gui.wait_for("the first time point", lambda: abs(app.colors(picture(app))[0] - alone[0]) > 0.005)
    app.click(app.get("check box", "Input under the map"))
    vg_gui.wait_for("the map alone", lambda: redness(app) > seen)
    time.sleep(1)                                    # the step has ended
    app.keys("ctrl+z", "ctrl+z")
    vg_gui.wait_for("the opacity of before", lambda: app.value("slider", "Opacity of the map, %") == 70)
    assert app.value("slider", "Time point under the map") == 1      # part of the view: not undone
    app.close()


def tile(app, number):
    """The middle of a slice's tile on the screen: three in a row beside the colour bar."""
    x, y, width, height = app.box(picture(app))
    return x + 16 + int((width - 110) * (number - 0.5) / 3), y + height // 2


def show_all_slices(program):
    app = start(program)
    single = app.colors(picture(app))
    app.click(next(node for node in app.walk() if node.name == "All slices"))
    vg_gui.wait_for("the mosaic", lambda: "3 slices side by side" in picture(app).description)
    vg_gui.wait_for("its picture", lambda: abs(app.colors(picture(app))[0] - single[0]) > 0.01)
    for number in (3, 2):
        x, y = tile(app, number)
        vg_gui.sh("xdotool", "mousemove", str(x), str(y))
        vg_gui.wait_for("the probe in slice %d" % number, lambda: app.has_label(", slice %d: " % number))
        vg_gui.sh("xdotool", "click", "1")          # goes to that slice
        vg_gui.wait_for("slice %d" % number, lambda: app.value("slider", "Slice of the volume") == number)
    app.keys("e")                                   # what is drawn belongs to the slice where it began
    x, y = tile(app, 1)
    app.drag(x - 20, y - 20, x + 20, y + 20)
    vg_gui.wait_for("the slice of the region", lambda: app.value("slider", "Slice of the volume") == 1)
    app.click(app.get("page tab", "Regions"))
    vg_gui.wait_for("the region's row", lambda: app.find("text", "Name of the region"))
    app.click(next(node for node in app.walk() if node.name == "All slices"))
    vg_gui.wait_for("one slice", lambda: "side by side" not in picture(app).description)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(lay_over, show_all_slices)
