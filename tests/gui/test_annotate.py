# SPDX-License-Identifier: MIT
"""Arrows and texts on the image: drawn and written, moved, edited, removed, undone; kept in the
session and drawn in figures."""
import vg_gui
from test_export import HOME, open_dialog, open_stack, says, toggle
from test_read_options import picture

FOLDER = HOME + "/a stack-maps"


def told(app):
    """What the layer tells of its annotations."""
    return next((node.name for node in app.walk() if node.name.startswith("Annotations")), "")


def wait_told(app, text):
    vg_gui.wait_for(text, lambda: told(app) == text)


def middle(app):
    x, y, width, height = app.box(picture(app))
    return x + width // 2, y + height // 2


def draw_and_write(app):
    x, y = middle(app)
    app.choose_tool("Arrow tool")
    app.drag(x - 100, y - 60, x - 20, y - 60)
    wait_told(app, "Annotations: Arrow, selected")
    app.choose_tool("Text tool")
    vg_gui.sh("xdotool", "mousemove", str(x + 20), str(y + 60), "click", "1")
    vg_gui.wait_for("the popover", lambda: app.find("text", "Text of the annotation"))
    app.type("Vessel")
    app.keys("Return")
    wait_told(app, "Annotations: Arrow; “Vessel”, selected")


def edit_by_keyboard(app):
    app.keys("bracketleft")
    wait_told(app, "Annotations: Arrow, selected; “Vessel”")
    app.keys("Delete")
    wait_told(app, "Annotations: “Vessel”")
    app.keys("ctrl+z")
    wait_told(app, "Annotations: Arrow; “Vessel”")
    app.keys("bracketleft", "Return")
    vg_gui.wait_for("the popover", lambda: app.find("text", "Text of the annotation"))
    app.keys("ctrl+a")
    app.type("Lesion")
    app.keys("Return")
    wait_told(app, "Annotations: Arrow; “Lesion”, selected")


def annotations_are_edited_and_kept(program):
    app = open_stack(program)
    draw_and_write(app)
    edit_by_keyboard(app)
    open_dialog(app)
    toggle(app, "Figure as SVG")
    toggle(app, "Session")
    app.press("push button", "Export")
    vg_gui.wait_for("the words about it", lambda: says(app, "into “a stack-maps”."))
    app.close()
    with open(FOLDER + "/figure.svg", encoding="utf-8") as file:
        assert ">Lesion<" in file.read()
    with open(FOLDER + "/session.vivograph", encoding="utf-8") as file:
        lines = file.read().split("\n")
    arrow = next(line for line in lines if line.startswith("1=arrow:"))
    numbers = [float(text) for text in arrow.split(":")[1].split(" ")[0].split(",")]
    assert numbers[2] - numbers[0] > 2 and abs(numbers[3] - numbers[1]) < 0.5, arrow
    app = vg_gui.App(program, FOLDER + "/session.vivograph")
    vg_gui.wait_for("the question", lambda: app.find("push button", "Open These Files"))
    app.press("push button", "Open These Files")
    wait_told(app, "Annotations: Arrow; “Lesion”")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(annotations_are_edited_and_kept)
