# SPDX-License-Identifier: MIT
"""Volumes: all slices side by side."""
import vg_gui


def start(program):
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu")
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"), 60)
    return app


def picture(app):
    return app.get("image", "Result picture")


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
    vg_gui.run(show_all_slices)
