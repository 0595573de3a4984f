# SPDX-License-Identifier: MIT
"""Help appears where the pointer rests, also while maps follow each other."""
import time
import vg_gui

# control, what its tooltip says
HELP = [
    (("push button", "More to open"), "Recent files"),
    (("push button", "Record"), "Record every frame to a file (Ctrl+R)"),
    (("push button", "Pause"), "Space in the image"),
    (("push button", "Hand tool"), "(H)"),
    (("push button", "Polygon tool"), "double-click"),
    (("push button", "Keep"), "(K)"),
    (("push button", "Fit the window"), "(0)"),
    (("push button", "Zoom in"), "(+)"),
    (("label", "Radius"), "Half the window"),
    (("label", "maps/s"), "frame counts"),
]


def find(app, role, name):
    return next((node for node in app.walk() if node.getRoleName() == role and
                 (node.name == name or (role == "label" and name in node.name))), None)


def is_told(app, text):
    """Whether TEXT appears within two seconds.  If it does not, the pointer moves by one pixel,
    because on a slow machine GTK 4.8 may confuse the end of the previous tooltip with this one."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        if text in app.tooltip():
            return True
        time.sleep(0.1)
    vg_gui.sh("xdotool", "mousemove_relative", "1", "0")
    return False


def controls_are_explained(program):
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a live picture",
                    lambda: app.colors(app.get("image", "Result picture"))[3] > 0.05)
    for control, text in HELP:
        node = vg_gui.wait_for(str(control), lambda: find(app, *control))
        app.hover(node)
        vg_gui.wait_for("the tooltip of \"%s\"" % control[1], lambda: is_told(app, text))
    assert app.find("push button", "Pause"), "maps no longer follow each other"
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(controls_are_explained)
