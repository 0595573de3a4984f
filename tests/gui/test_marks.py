# SPDX-License-Identifier: MIT
"""What is drawn over and beside a map with physical axes: the unit of length,
isolines, layers and the probe with its error."""
import os
import re
import subprocess
import vg_gui

RUN = """1.0
1
x.mco A
20000
0.005 0.01
40 50 1
2
1.0
1.4 1 100 0.9 0.05
1.4 2 50 0.8 0.15
1.0
"""


def start(program):
    path = os.path.join(os.environ["VG_GUI_INSIDE"], "marks.mci")
    with open(path, "w") as file:
        file.write(RUN)
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", path)
    vg_gui.wait_for("the finished map", lambda: app.find("push button", "Run"))
    return app


def picture(app):
    return app.get("image", "Result picture")


def marks(app):
    """What is drawn, as the picture tells it."""
    return picture(app).description


def choose(app, pane, name):
    app.click(vg_gui.wait_for("the unit", lambda: next(
        node for node in app.walk(app.get("scroll pane", pane))
        if node.name == "Length unit" and node.getRoleName() == "combo box")))
    app.keys("Home", *["Down"] * ["From file", "µm", "mm", "cm"].index(name), "Return")


def probe(app, dx, dy):
    """The status line with the pointer at a part of the picture."""
    x, y, width, height = app.box(picture(app))
    vg_gui.sh("xdotool", "mousemove", str(int(x + dx * width)), str(int(y + dy * height)))
    return vg_gui.wait_for(
        "the probe", lambda: next(
            (text for text in app.labels() if "mW/cm²" in text and "z " in text and "± " in text),
            None))


def numbers(text):
    """r, z and the value."""
    return [
        float(part.split()[0])
        for part in re.split("r |, z |: ", vg_gui.ungroup(text))[1:]
    ]


def change_unit(program):
    app = start(program)
    vg_gui.wait_for("axes", lambda: "r (cm) -0.5 to 0.5; z (cm) 0 to 0.2; 1; 2" in marks(app))
    given = probe(app, 0.3, 0.5)
    assert " cm: " in given and " %" in given.split("±")[1], given
    r, z, value = numbers(given)
    assert -0.5 < r < 0 < z < 0.2 and value > 0, given
    assert app.value("spin button", "Row 2, Absorption, 1/cm") == 2
    choose(app, "Settings", "mm")
    vg_gui.wait_for("axes in mm", lambda: "r (mm) -5 to 5; z (mm) 0 to 2" in marks(app))
    assert abs(app.value("spin button", "Row 2, Absorption, 1/mm") - 0.2) < 1e-9
    assert abs(app.value("spin button", "Row 1, Thickness, mm") - 0.5) < 1e-9
    told = vg_gui.wait_for("the probe in mm", lambda: next(
        text for text in [probe(app, 0.3, 0.5)] if " mm: " in text))
    in_mm = numbers(told)
    assert abs(in_mm[0] - 10 * r) < 1e-6 and abs(in_mm[1] - 10 * z) < 1e-6 and in_mm[2] == value, (
        given, in_mm)
    app.set_value("spin button", "Row 1, Thickness, mm", 0.8)     # is 0.08 cm
    choose(app, "Settings", "From file")
    vg_gui.wait_for("the layer in cm",
                    lambda: app.value("spin button", "Row 1, Thickness, cm") == 0.08)
    app.close()


def draw_isolines(program):
    app = start(program)
    app.click(app.get("page tab", "Display"))
    scroll = app.get("scroll pane", "Display")
    x, y, width, height = app.box(scroll)
    subprocess.run(["xdotool", "mousemove",
                    str(x + 12), str(y + height // 2)] + ["click", "5"] * 30,
                   check=True)
    with_decades = app.still(picture(app))
    decades = vg_gui.wait_for("the decades", lambda: next(
        node for node in app.walk(scroll)
        if node.name == "Isolines at every decade" and node.getRoleName() == "check box"))
    assert decades.getState().contains(app.atspi.STATE_CHECKED)
    decades.queryAction().doAction(0)
    vg_gui.wait_for("no lines", lambda: abs(app.colors(picture(app))[2] - with_decades[2]) > 1e-4)
    plain = app.still(picture(app))
    entry = app.get("text", "Isolines at values")
    app.click(entry)
    app.type("20 3;500")
    app.keys("Return")
    vg_gui.wait_for("lines at the values",
                    lambda: abs(app.colors(picture(app))[2] - plain[2]) > 1e-4)
    lined = app.still(picture(app))          # their labels come a little later
    app.type(" ten")
    app.keys("Return")
    vg_gui.wait_for(
        "what is wrong",
        lambda: any("solines need numbers such as" in node.name for node in app.walk(scroll)))
    app.keys("ctrl+a", "BackSpace", "Return")
    vg_gui.wait_for("no lines again", lambda: abs(app.colors(picture(app))[2] - plain[2]) < 2e-5)
    app.click(app.get("page tab", "Display"))      # out of the text
    app.keys("ctrl+z")
    far = abs(lined[2] - plain[2])
    vg_gui.wait_for("the lines by undo",
                    lambda: abs(app.colors(picture(app))[2] - lined[2]) < 0.2 * far)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(change_unit, draw_isolines)
