# SPDX-License-Identifier: MIT
"""The table of layers: each edit gives another map, undo and redo too; what does
not fit is said and leaves the picture."""
import vg_gui
from test_simulation import distance, open_runs, picture


def rows(app):
    panel = app.get("scroll pane", "Settings")
    return [
        node.queryValue().currentValue for node in app.walk(panel)
        if node.name.endswith(", Absorption, 1/cm")
    ]


def edit_the_table(program):
    app = open_runs(program, 2000)
    assert rows(app) == [1, 5]
    shown = app.colors(picture(app))

    def changed(what):
        nonlocal shown
        vg_gui.wait_for("the map after " + what,
                        lambda: distance(app.colors(picture(app)), shown) > 0.002)
        shown = app.still(picture(app), 0.8)      # the run has come to its end

    app.press("push button", "Move row 2 up")
    vg_gui.wait_for("the other order", lambda: rows(app) == [5, 1])
    changed("a move")
    app.press("push button", "Remove row 1")
    vg_gui.wait_for("one row", lambda: rows(app) == [1])
    changed("a removal")
    app.press("push button", "Add a row")
    vg_gui.wait_for("two rows", lambda: rows(app) == [1, 1])
    app.set_value("spin button", "Row 2, Absorption, 1/cm", 30)
    changed("an addition")
    app.keys("ctrl+z")
    app.keys("ctrl+z")
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: rows(app) == [5, 1])
    changed("undo")
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("redo", lambda: rows(app) == [1])
    changed("redo")
    app.press("push button", "Remove row 1")
    alert = vg_gui.wait_for(
        "what is wrong", lambda: next(
            (n.name for n in app.walk()
             if n.getRoleName() == "alert" and "no tissue" in n.name), None))
    assert "at least one row" in alert
    banner = app.get("push button", "Close this message")
    assert app.box(banner)[2] > 0
    app.press("push button", "Close this message")
    vg_gui.wait_for("the old picture, which stays",
                    lambda: distance(app.colors(picture(app)), shown) < 0.02)
    app.click(app.get("combo box", "Presets"))
    app.keys("Home", "Down", "Return")
    vg_gui.wait_for("the skin", lambda: len(rows(app)) == 7)
    changed("a preset")
    logarithmic_limits(app)
    app.close()


def logarithmic_limits(app):
    """The histogram of a logarithmic map shows decades: its middle is far below half of the
    highest value."""
    app.click(app.get("page tab", "Display"))
    x, y, width, height = app.box(
        next(node for node in app.walk() if node.name == "Histogram of the shown values"))

    def dragged():
        app.drag(x + 8, y + 20, x + width // 2, y + 20)
        return 3e-6 < app.value("spin button", "Lower limit") / app.value(
            "spin button", "Upper limit") < 0.1

    vg_gui.wait_for("a limit by hand", dragged)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(edit_the_table)
