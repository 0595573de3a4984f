# SPDX-License-Identifier: MIT
"""The documents in the window."""
import vg_gui
from test_finder import find, focused


def named(app, name):
    return next((node for node in app.walk() if node.name == name), None)


def text_of(app):
    text = app.find("text", "Help")
    return text.queryText().getText(0, -1) if text else ""


def f1_explains(program):
    app = vg_gui.App(program, "--operation", "flow")
    app.get("combo box", "Map")
    app.keys("F1")
    vg_gui.wait_for("the view's document", lambda: "speckle contrast imaging" in text_of(app))
    app.get("scroll pane", "Settings")                # the window has not become a narrow one
    text = vg_gui.wait_for("the text", lambda: text_of(app))
    assert "**" not in text and "](" not in text
    app.click(vg_gui.wait_for("the search", lambda: named(app, "Search in the help")))
    app.type("coherence")
    vg_gui.wait_for("the places", lambda: app.has_label(" places"))
    app.keys("F1")
    vg_gui.wait_for("no help", lambda: not text_of(app))
    find(app, "expos", "Exposure time")
    vg_gui.wait_for("the setting", lambda: focused(app, "Exposure time, ms"))
    app.keys("F1")
    vg_gui.wait_for("the settings' document", lambda: "0.001 to 100000 ms" in text_of(app))
    vg_gui.wait_for("the place of the setting", lambda: text_of(app)[
        app.find("text", "Help").queryText().caretOffset:].startswith("Exposure time"))
    app.press("push button", "Close Help")
    vg_gui.wait_for("no help", lambda: not text_of(app))
    app.close()


def the_shortcuts_open(program):
    app = vg_gui.App(program, "--operation", "flow")
    app.get("combo box", "Map")
    for _ in range(2):      # the second time, the window exists
        app.keys("ctrl+question")
        app.wait_for_dialog()
        app.keys("Escape")
        app.wait_for_main_window()
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(f1_explains, the_shortcuts_open)
