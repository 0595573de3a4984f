# SPDX-License-Identifier: MIT
"""The export dialog: the maps and the folder that are chosen, what it says afterwards, the command
that it shows, and a folder that cannot be written."""
import filecmp
import json
import os
import shlex
import subprocess
import vg_gui
from test_finder import find

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
STACK = HOME + "/a stack.tif"
FOLDER = HOME + "/a stack-maps"


def open_stack(program):
    vg_gui.write_tiff(STACK, 48, 32, 1, lambda page, x, y: 200 + (x * 37 + y * 91) % 900)
    app = vg_gui.App(program, STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    return app


def open_dialog(app):
    app.keys("ctrl+e")
    app.wait_for_dialog()


def toggle(app, name):
    """With the keyboard: the check box NAME, wherever it is."""
    def has(state):
        return vg_gui.read(name,
                           lambda: app.get("check box", name).getState().contains(state))

    before = has(app.atspi.STATE_CHECKED)
    for _ in range(30):
        if has(app.atspi.STATE_FOCUSED):
            break
        app.keys("Tab")
    app.keys("space")
    vg_gui.wait_for(name, lambda: has(app.atspi.STATE_CHECKED) != before)


def says(app, words):
    return any(words in node.name for node in app.walk())


def chosen_maps_are_written(program):
    app = open_stack(program)
    open_dialog(app)
    command = vg_gui.wait_for(
        "the command", lambda: next(
            (node.name for node in app.walk() if node.name.startswith("vivograph run ")), None))
    assert shlex.split(command)[3:6] == [STACK, "--out", FOLDER], command
    toggle(app, "Correlation time, ms")
    toggle(app, "CSV")
    toggle(app, "Figure as SVG")
    chosen = "--format tiff,csv --figure svg --figure-mm 85"
    command = vg_gui.wait_for("the formats in the command", lambda: next(
        (node.name for node in app.walk() if chosen in node.name), None))
    toggle(app, "Session")
    app.press("push button", "Export")
    said = vg_gui.wait_for("the words about it", lambda: next(
        (node.name for node in app.walk() if "into “a stack-maps”." in node.name), None))
    app.get("push button", "Show in Files")
    written = os.listdir(FOLDER)
    n = sum(name.endswith(".tif") for name in written)
    assert "Exported %d maps" % n in said, (n, said)
    assert "flow_index.tif" in written and "session.vivograph" in written, written
    assert "flow_index.csv" in written and "figure.svg" in written, written
    assert not [name for name in written if name.startswith("correlation_time")], written
    with open(FOLDER + "/summary.json") as file:
        summary = json.load(file)
    assert set(summary["files"]) == set(written) - {"summary.json", "session.vivograph"}
    assert "correlation_time" not in summary["outputs"]
    # What the dialog shows is the same export, of all maps.
    again = [program] + shlex.split(command.replace(shlex.quote(FOLDER), HOME + "/again"))[1:]
    subprocess.run(again, check=True, capture_output=True)
    for name in written:
        if name.endswith((".tif", ".csv")):
            assert filecmp.cmp(FOLDER + "/" + name, HOME + "/again/" + name, shallow=False), name
    # The next one is proposed beside it.
    open_dialog(app)
    assert vg_gui.wait_for("the other folder", lambda: any(
        FOLDER + "-2" in node.name for node in app.walk()))
    app.keys("Escape")
    app.close()


def the_report_is_found(program):
    """Under its name; it is selected, as in the next export, and can be opened."""
    app = open_stack(program)
    find(app, "report", "Report…")
    app.wait_for_dialog()
    app.press("push button", "Export")
    app.get("push button", "Open Report")
    assert os.path.exists(FOLDER + "-2/report.html")      # beside that of the test before
    open_dialog(app)
    assert app.get("check box", "Report").getState().contains(app.atspi.STATE_CHECKED)
    app.keys("Escape")
    app.close()


def a_closed_folder_is_said(program):
    app = open_stack(program)
    open_dialog(app)
    app.dialog_path("/proc/1/none")
    vg_gui.wait_for("the words about it", lambda: says(app, "choose another folder"))
    assert says(app, "--out /proc/1/none"), "the dialog keeps its answers"
    app.dialog_path(HOME + "/open")
    vg_gui.wait_for("the words about the export", lambda: says(app, "into “open”."))
    app.get("push button", "Show in Files")
    assert not says(app, "choose another folder")
    assert os.path.exists(HOME + "/open/summary.json")
    app.close()


def a_camera_is_no_file_name(program):
    """The folder that is proposed is named after the view, without the address's colon."""
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("a map", lambda: app.find("push button", "Keep"))
    vg_gui.wait_for("frames", lambda: app.has_label("Frames "))
    open_dialog(app)
    command = vg_gui.wait_for(
        "the command", lambda: next(
            (node.name for node in app.walk() if node.name.startswith("vivograph run ")), None))
    words = shlex.split(command)
    assert os.path.basename(words[words.index("--out") + 1]) == "flow-maps", command
    app.keys("Escape")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(chosen_maps_are_written, a_closed_folder_is_said, a_camera_is_no_file_name,
               the_report_is_found)
