# SPDX-License-Identifier: MIT
"""The limits of the colours, dragged on the page of the map's values."""
import os
import vg_gui
from test_read_options import BINS, HEIGHT, WIDTH, counts, picture

STACK = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/decay.tif"


def upper(app):
    return app.value("spin button", "Upper limit")


def limits_are_dragged(program):
    vg_gui.write_tiff(STACK, WIDTH, HEIGHT, BINS, lambda page, x, y: counts(2.0, x, y, 0.1, page))
    app = vg_gui.App(program, "--operation", "lifetime", "--pages", "bins", STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    app.click(app.get("page tab", "Display"))
    vg_gui.wait_for("the limits", lambda: upper(app) > 2.5)
    before = vg_gui.steady("the limits", lambda: upper(app))
    x, y, width, height = app.box(app.get("image", "Distribution of lifetimes"))

    def is_dragged():
        """The upper handle stands at the plot's right edge, somewhere within its margin."""
        for edge in range(width - 4, width - 40, -5):
            app.drag(x + edge, y + height // 2, x + width // 2, y + height // 2)
            if upper(app) < before - 0.2:
                return True
        return False

    vg_gui.wait_for("the upper limit to follow", is_dragged)
    dragged = upper(app)

    def is_dragged_on():
        """The page is still that one."""
        app.drag(x + width // 2, y + height // 2, x + width // 3, y + height // 2)
        return upper(app) < dragged - 0.1

    vg_gui.wait_for("the upper limit to follow on", is_dragged_on)
    app.keys("ctrl+z", "ctrl+z")
    vg_gui.wait_for("the limit of before", lambda: upper(app) == before)
    app.close()


def colour_bar(app):
    return next(node for node in app.walk() if node.name.startswith("Colour bar, "))


def bar_is_used(program):
    """The bar's end is dragged, its number typed, its lock clicked; each is one step of undo."""
    vg_gui.write_tiff(STACK, WIDTH, HEIGHT, BINS,
                      lambda page, x, y: counts(2.0, x, y, 0.1, page))
    app = vg_gui.App(program, "--operation", "lifetime", "--pages", "bins", STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)

    def top():
        return app.value("spin button", "Upper end of the colours")

    def is_fixed():
        return app.get("push button", "Fixed limits").description == "Limits are fixed"

    vg_gui.wait_for("the limits", lambda: top() > 1)
    before = vg_gui.steady("the limits", top)
    assert not is_fixed()
    x, y, width, height = app.box(colour_bar(app))
    app.drag(x + 16, y + height // 4, x + 16, y + height // 4 - 60)
    vg_gui.wait_for("the upper limit to follow, and to stay", lambda: top() > before and is_fixed())
    dragged = vg_gui.steady("the upper limit", top)
    app.keys("ctrl+z")
    vg_gui.wait_for("the limit of before, in one step", lambda: top() == before and not is_fixed())
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("the limit again", lambda: top() == dragged and is_fixed())
    app.click(app.get("push button", "Fixed limits"))
    vg_gui.wait_for("limits that follow the data", lambda: top() == before and not is_fixed())
    app.press("push button", "Fixed limits")
    vg_gui.wait_for("limits that stay", is_fixed)
    assert top() == before
    app.click(app.get("spin button", "Upper end of the colours"))
    app.keys("ctrl+a")
    app.type("20000")
    app.keys("Return")
    vg_gui.wait_for("the typed limit", lambda: top() == 20000)
    vg_gui.wait_for("it in words", lambda: " to 20 000 ns" in colour_bar(app).name)
    app.keys("Down")
    vg_gui.wait_for("a step down", lambda: 19000 < top() < 20000)
    app.close()


def categories_have_a_legend(program):
    """Each category by name, with its share of the voxels, which add up to all."""
    app = vg_gui.App(program, "--operation", "perfusion", "--sample", "ellipse", "--backend", "cpu")
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"))
    app.pick("Map", "Status")
    text = vg_gui.wait_for("the status of the fits", lambda: next(
        (n.name for n in app.walk() if n.name.startswith("Legend: Fitted ")), None))
    shares = [int(part.split()[-2]) for part in text.split(": ")[1].split(", ")]
    assert 97 <= sum(shares) <= 103, text
    vg_gui.wait_for("nothing to set",
                    lambda: not app.find("spin button", "Upper end of the colours"))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(limits_are_dragged, bar_is_used, categories_have_a_legend)
