# SPDX-License-Identifier: MIT
"""The card over the picture: of a pixel, at a resting pointer, of a region, and what a region can
be used as."""
import re
import vg_gui
from test_perfusion import draw, picture, place, start


def cards(app):
    """What the visible card says; "": there is none."""
    found = [
        node for node in app.walk()
        if node.name == "Values" and node.getState().contains(app.atspi.STATE_VISIBLE)
    ]
    return found[0].description if found else ""


def card_of_a_voxel(program):
    app = start(program)
    # a click pins it, with each number of the model and the status in words
    x, y = place(app, 0.35, 0.5)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "click", "1")
    vg_gui.wait_for("the card of the voxel", lambda: cards(app).startswith("Voxel "))
    vg_gui.wait_for("its numbers", lambda: all(
        part in cards(app) for part in ("Total inflow", "±", "Status Fitted")))
    app.press("push button", "Copy the values")
    vg_gui.wait_for("the message", lambda: any(
        "on the clipboard" in (node.name or "") for node in app.walk()))
    app.press("push button", "Close the card (Escape)")
    vg_gui.wait_for("no card", lambda: not cards(app))
    # where the pointer rests it comes by itself, and goes with the pointer
    x, y = place(app, 0.6, 0.4)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y))
    before = vg_gui.wait_for("the card at the pointer",
                             lambda: cards(app).startswith("Voxel ") and cards(app))
    x, y = place(app, 0.45, 0.7)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y))
    vg_gui.wait_for("another card", lambda: cards(app) not in ("", before))
    app.close()


def region_is_used(program):
    app = start(program)
    draw(app, 0.3, 0.4, 0.4, 0.6)
    vg_gui.wait_for("the card of the region", lambda: "Fit of the mean curve of" in cards(app)
                    and re.search(r"Size [0-9.]+ × [0-9.]+ mm", cards(app)))
    app.press("push button", "Use as Liver")
    vg_gui.wait_for("the setting", lambda: app.has_label("Region “Liver”"))
    vg_gui.wait_for("that it is not asked again",
                    lambda: app.find("push button", "Use as Liver") is None)
    app.close()


def card_leaves_the_bar(program):
    """Wherever the region is, its card covers neither the region nor the colour bar."""
    app = vg_gui.App(program, "--operation", "flow", "--sample", "vessels", "--backend", "cpu")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    for left, right in ((0.2, 0.3), (0.45, 0.6), (0.6, 0.7)):
        draw(app, left, 0.4, right, 0.5)
        vg_gui.wait_for("the card", lambda: "Size" in cards(app))
        # the bar is as wide as its numbers, which may change
        (x, y, width, height), bar = vg_gui.steady("the places of card and bar", lambda: [app.box(
            next(node for node in app.walk() if node.name.startswith(name)))
            for name in ("Values", "Colour bar, ")])
        px, py, wide, high = app.box(picture(app))
        assert x + width <= bar[0], (left, x, width, bar)
        assert (x + width <= px + left * wide or x >= px + right * wide or
                y + height <= py + 0.4 * high or y >= py + 0.5 * high), (left, x, y, width, height)
        app.keys("ctrl+z")
        vg_gui.wait_for("no card", lambda: not cards(app))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(card_leaves_the_bar, card_of_a_voxel, region_is_used)
