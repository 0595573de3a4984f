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
    before = vg_gui.wait_for("the limits", lambda: upper(app) > 2.5 and upper(app))
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


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(limits_are_dragged)
