# SPDX-License-Identifier: MIT
"""The wheel scrolls a pane and changes no value in it, a tool stays in its view, and an export asks
before it replaces another."""
import os
import vg_gui

FOLDER = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/maps"


def place(app, node):
    return app.box(node)[1]


def bring_into_sight(app, tab, node):
    left, top, _, height = app.box(app.get("scroll pane", tab))

    def is_seen():
        if place(app, node) + app.box(node)[3] < top + height:
            return True
        vg_gui.sh("xdotool", "mousemove", str(left + 6), str(top + height // 2), "click", "5")
        return False

    vg_gui.wait_for("it in sight", is_seen)


def wheel_scrolls(program):
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a live picture",
                    lambda: app.colors(app.get("image", "Result picture"))[3] > 0.05)
    for tab, role, name in (("Display", "slider", "Gamma, powers of two"),
                            ("Display", "spin button", "Gamma"),
                            ("Settings", "slider", "Radius, px")):
        app.click(app.get("page tab", tab))
        before = app.value(role, name)
        bring_into_sight(app, tab, app.get(role, name))
        top = vg_gui.steady("the pane", lambda: place(app, app.get(role, name)))
        x, y, width, height = app.box(app.get(role, name))
        vg_gui.sh("xdotool", "mousemove", str(x + width // 2), str(y + height // 2), "click",
                  "--repeat", "3", "5")
        vg_gui.wait_for("the pane to scroll over " + name,
                        lambda: place(app, app.get(role, name)) < top)
        assert app.value(role, name) == before, name
    app.close()


def open_simulated(program):
    """Opens a short simulation and waits for its end."""
    few = vg_gui.write_session(FOLDER + ".vivograph", "fluence", photons=3000)
    app = vg_gui.App(program, "--backend", "cpu", "--session", few)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 3000"))
    app.get("push button", "Run")
    return app


def tool_and_export(program):
    app = open_simulated(program)
    os.makedirs(FOLDER)
    app.keys("ctrl+e")
    app.dialog_path(FOLDER)
    summary = FOLDER + "/summary.json"
    vg_gui.wait_for("the export", lambda: os.path.exists(summary))
    written = vg_gui.steady("what is exported", lambda: os.stat(summary).st_ino)
    app.keys("ctrl+e")
    app.dialog_path(FOLDER)
    app.press("push button", "Cancel")
    vg_gui.steady("the window", lambda: os.stat(summary).st_ino)
    assert os.stat(summary).st_ino == written, "replaced without a question"
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.keys("ctrl+e")
    app.dialog_path(FOLDER)
    app.press("push button", "Replace")
    vg_gui.wait_for("another export",
                    lambda: os.path.exists(summary) and os.stat(summary).st_ino != written)
    app.choose_tool("Rectangle tool")
    app.press("push button", "Flow")
    vg_gui.wait_for(
        "the hand in another view", lambda: app.get("push button", "Hand tool").getState().contains(
            app.atspi.STATE_PRESSED))
    app.close()


def files_of_others(program):
    folder = FOLDER + "-others"
    preview, summary = folder + "/preview.png", folder + "/summary.json"
    os.makedirs(folder)
    with open(preview, "w") as file:
        file.write("mine")
    app = open_simulated(program)
    app.keys("ctrl+e")
    app.dialog_path(folder)
    vg_gui.wait_for(
        "the file's name",
        lambda: any("not from an earlier export: preview.png" in node.name for node in app.walk()))
    app.press("push button", "Cancel")
    vg_gui.steady("the folder", lambda: os.stat(preview).st_ino)
    with open(preview) as file:
        assert file.read() == "mine", "replaced without a question"
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.keys("ctrl+e")
    app.dialog_path(folder)
    app.press("push button", "Replace")
    vg_gui.wait_for("the export", lambda: os.path.exists(summary))
    with open(preview, "rb") as file:
        assert file.read(4) == b"\x89PNG"
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(wheel_scrolls, tool_and_export, files_of_others)
