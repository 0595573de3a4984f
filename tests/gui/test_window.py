# SPDX-License-Identifier: MIT
"""The window on its synthetic source: sliders, pause, undo, outputs, colours,
regions and their statistics."""
import vg_gui


def slider_of(operation):
    """A number that is always there and changes the map; its accessible name."""
    for parameter in operation["parameters"]:
        if parameter["kind"] == "whole number" and parameter["max"] <= 64:
            unit = ", " + parameter["unit"] if parameter["unit"] else ""
            return parameter["label"] + unit, parameter
    raise AssertionError("no slider")


def picture(app):
    return app.get("image", "Result picture")


def follow_slider(program):
    operation = vg_gui.describe(program)
    name, parameter = slider_of(operation)
    app = vg_gui.App(program)
    vg_gui.wait_for("a live picture", lambda: app.colors(picture(app))[3] > 0.05)
    app.pause()
    before = app.still(picture(app))
    app.set_value("slider", name, 8)
    vg_gui.wait_for("another map", lambda: abs(app.colors(picture(app))[3] - before[3]) > 0.01)
    vg_gui.wait_for("the number", lambda: app.value("spin button", name) == 8)
    app.keys("ctrl+z")
    default = float(parameter["default"])
    vg_gui.wait_for("undo", lambda: app.value("slider", name) == default)
    vg_gui.wait_for("the old map", lambda: abs(app.colors(picture(app))[3] - before[3]) < 0.005)
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("redo", lambda: app.value("slider", name) == 8)
    app.press("push button", "Reset " + parameter["label"])
    vg_gui.wait_for("reset", lambda: app.value("slider", name) == default)
    app.close()


def change_output_and_colors(program):
    outputs = vg_gui.describe(program)["outputs"]
    app = vg_gui.App(program)
    vg_gui.wait_for("a live picture", lambda: app.colors(picture(app))[3] > 0.05)
    app.pause()
    first = app.still(picture(app))
    app.click(app.get("page tab", "Display"))

    def shown():
        text = app.shown_map()
        return next((i for i, output in enumerate(outputs)
                     if text.split(",")[0] == output["label"]), None)

    vg_gui.wait_for("the shown output", lambda: shown() is not None)
    old = shown()
    vg_gui.wait_for(
        "the limits",
        lambda: app.value("spin button", "Lower limit") < app.value("spin button", "Upper limit"))
    app.click(app.get("combo box", "Map"))
    app.keys("Home" if old else "End", "Return")
    vg_gui.wait_for("another output", lambda: shown() not in (None, old))
    vg_gui.wait_for("its picture",
                    lambda: max(abs(a - b) for a, b in zip(app.colors(picture(app)), first)) > 0.02)
    before = app.still(picture(app))
    app.click(app.get("combo box", "Colour map"))
    app.keys("Home", "Return")
    app.click(app.get("combo box", "Colour map"))
    app.keys("Home", "Down", "Down", "Return")
    vg_gui.wait_for(
        "other colours",
        lambda: max(abs(a - b) for a, b in zip(app.colors(picture(app))[:3], before[:3])) > 0.02)
    colors = app.still(picture(app))
    app.set_value("spin button", "Gamma", 4)
    vg_gui.wait_for("a gamma", lambda: abs(app.colors(picture(app))[0] - colors[0]) > 0.01)
    app.close()


def numbers(app):
    """The table of the regions in rows: mean, SD, median, quartiles, minimum, maximum, area."""
    texts = [vg_gui.ungroup(text) for text in app.labels(app.get("scroll pane", "Regions"))]
    columns = 9 if "% of baseline" in texts else 8
    cells = [
        text for text in texts
        if text.replace(".", "").replace("-", "").replace("e", "").replace("+", "").isdigit()
    ]
    return [[float(text) for text in cells[i:i + 7] + cells[i + columns - 1:i + columns]]
            for i in range(0, len(cells) - columns + 1, columns)]


def draw_region(program):
    app = vg_gui.App(program)
    vg_gui.wait_for("a live picture", lambda: app.colors(picture(app))[3] > 0.05)
    app.pause()
    app.still(picture(app))
    app.choose_tool("Rectangle tool")
    app.press("push button", "Actual size")
    zoom = vg_gui.wait_for("the zoom figure", lambda: app.has_label("100 %"))
    assert zoom
    x, y, width, height = app.box(picture(app))
    x, y = x + width // 2, y + height // 2
    app.drag(x - 60, y - 40, x + 40, y + 30)
    app.show_page("Table")
    vg_gui.wait_for("a row of statistics", lambda: numbers(app))
    row = vg_gui.steady("the statistics", lambda: numbers(app))[0]
    mean, sd, median, q25, q75, low, high, area = row
    assert abs(area - 100 * 70) <= 3 * (100 + 70), area
    assert low <= mean <= high and low <= q25 <= median <= q75 <= high and 0 < sd < high - low
    vg_gui.wait_for("the map's name", lambda: any(
        text.startswith("Flow index (") for text in app.labels(app.get("scroll pane", "Regions"))))
    app.get("text", "Name of the region")
    app.keys("ctrl+z")
    vg_gui.wait_for("no region", lambda: not numbers(app))
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("the region again",
                    lambda: numbers(app)[0][-1] == area and numbers(app)[0][0] == mean)
    # Enter and Escape leave the name, so that further keys are not typed into it
    for key, name in ("Return", "Vessel"), ("Escape", "Vein"):
        app.click(app.get("text", "Name of the region"))
        app.keys("ctrl+a")
        app.type(name)
        app.keys(key)
        app.type("y")
        entry = app.get("text", "Name of the region")
        text = vg_gui.steady("the name", lambda: entry.getText(0, entry.characterCount))
        assert text == name, (key, text)
    app.press("push button", "Delete this region")
    vg_gui.wait_for("no region", lambda: not numbers(app))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(follow_slider, change_output_and_colors, draw_region)
