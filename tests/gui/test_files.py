# SPDX-License-Identifier: MIT
"""Files: open, a bad file, export against the command line, the picture,
sessions."""
import filecmp
import json
import os
import re
import struct
import subprocess
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
STACK = HOME + "/stack.tif"
PAGE = HOME + "/page.tif"
BAD = HOME + "/broken.tif"
WIDE = HOME + "/wide.tif"


def noise(page, x, y):
    """Deterministic grains of 16-bit light, another field on every page."""
    word = (x * 2654435761 ^ y * 2246822519 ^ page * 3266489917) & 0xffffffff
    word = (word ^ word >> 15) * 2246822519 & 0xffffffff
    return 200 + ((word >> 13) % (1500 if x < 48 else 400))


def picture(app):
    return app.get("image", "Result picture")


def pause(app):
    app.pause()
    app.still(picture(app))


def open_paused(program, path):
    app = vg_gui.App(program, path)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("the title", lambda: app.has_label(os.path.basename(path)))
    pause(app)
    return app


def bad_file_changes_nothing(program):
    vg_gui.write_tiff(STACK, 96, 64, 12, noise)
    with open(BAD, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, 8) + b"\x05")
    app = open_paused(program, STACK)
    vg_gui.wait_for("the frame bar", lambda: app.has_label(" of 12"))
    before = app.colors(picture(app))
    app.keys("ctrl+o")
    app.dialog_path(BAD)
    alert = vg_gui.wait_for(
        "a banner", lambda: next(
            (node.name for node in app.walk()
             if node.getRoleName() == "alert" and "broken.tif" in node.name), None))
    assert "\n" not in alert
    assert app.has_label("stack.tif"), "the title still names the old data"
    app.press("push button", "Close this message")
    vg_gui.sh("xdotool", "mousemove", "0", "0")     # no card over the picture
    vg_gui.wait_for(
        "the picture as it was",
        lambda: max(abs(a - b) for a, b in zip(before, app.colors(picture(app)))) < 1e-3)
    app.keys("ctrl+o")
    app.wait_for_dialog()
    app.keys("Escape")
    assert app.has_label("stack.tif"), "a cancelled Open keeps the data"
    app.close()


def saving_begins_in_a_folder(program):
    """Even if recent files were listed before.  Runs first, before any folder was chosen."""
    folder = HOME + "/where-it-saves"
    os.makedirs(folder)
    os.chdir(folder)
    app = vg_gui.App(program)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    pause(app)
    app.keys("ctrl+o")
    app.wait_for_dialog()
    app.click(app.get("label", "Recent"))
    app.keys("Escape")
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.keys("ctrl+s")
    app.wait_for_dialog()
    vg_gui.wait_for("the folder at the side and above the files", lambda: 2 == sum(
        node.name == "where-it-saves" and node.getState().contains(app.atspi.STATE_VISIBLE)
        for node in app.walk()))
    app.keys("Escape")
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.close()


def without_time(path):
    with open(path) as file:
        summary = json.load(file)
    assert summary.pop("seconds") >= 0
    provenance = summary.pop("provenance")
    assert provenance["command"].startswith("vivograph run "), provenance["command"]
    assert len(provenance["inputs"][0]["sha256"]) == 64
    return summary


def export_is_what_run_writes(program):
    operation = vg_gui.describe(program)["id"]
    by_window, by_command = HOME + "/by-window", HOME + "/by-command"
    by_session, session = HOME + "/by-session", HOME + "/export.vivograph"
    shot = HOME + "/shot.png"
    os.makedirs(by_window)
    vg_gui.write_tiff(PAGE, 96, 64, 1, noise)
    app = open_paused(program, PAGE)
    app.keys("ctrl+shift+e")
    app.dialog_path(shot)
    vg_gui.wait_for("the picture file", lambda: os.path.exists(shot))
    assert vg_gui.sh("identify", "-format", "%m", shot) == "PNG"
    app.click(app.get("page tab", "Display"))
    app.press("check box", "Reversed colours")
    app.choose_tool("Ellipse tool")
    x, y, width, height = app.box(picture(app))
    app.drag(x + width // 2 - 40, y + height // 2 - 40, x + width // 2 + 30, y + height // 2 + 50)
    app.keys("ctrl+s")
    app.dialog_path(session)
    vg_gui.wait_for("the session", lambda: os.path.exists(session))
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.keys("ctrl+e")
    app.dialog_path(by_window)
    vg_gui.wait_for("the end of the export", lambda: any(
        "into “by-window”." in node.name for node in app.walk()))
    app.close()
    # Of the session it is the same, bit for bit, with the region's numbers; only times differ.
    subprocess.run([program, "run", "--session", session, "--out", by_session],
                   check=True,
                   capture_output=True)
    names = sorted(os.listdir(by_window)), sorted(os.listdir(by_session))
    assert names[0] == names[1], names
    assert "regions.csv" in os.listdir(by_window)
    for name in os.listdir(by_window):
        if name == "summary.json":
            assert without_time(by_window + "/" + name) == without_time(by_session + "/" + name)
        else:
            assert filecmp.cmp(by_window + "/" + name, by_session + "/" + name,
                               shallow=False), name + " differs from run --session"
    # On the backend that the window took: the last bits of a GPU's maps are its own.
    subprocess.run([program, "run", operation, PAGE, "--out", by_command],
                   check=True,
                   capture_output=True)
    maps = [name for name in os.listdir(by_command) if name.endswith(".tif")]
    assert maps
    for name in maps:
        assert filecmp.cmp(by_window + "/" + name, by_command + "/" + name,
                           shallow=False), name + " differs"
    assert not filecmp.cmp(by_window + "/preview.png", by_command + "/preview.png",
                           shallow=False), "the preview is not as the window shows it"


def session_comes_back(program):
    first, second, frame = HOME + "/first.vivograph", HOME + "/second.vivograph", 7
    app = open_paused(program, STACK)
    parameter = next(p for p in vg_gui.describe(program)["parameters"]
                     if p["kind"] == "whole number" and p["max"] <= 64)
    name = parameter["label"] + (", " + parameter["unit"] if parameter["unit"] else "")
    app.set_value("slider", name, 5)
    app.choose_tool("Ellipse tool")
    x, y, width, height = app.box(picture(app))
    app.drag(x + width // 2 - 40, y + height // 2 - 40, x + width // 2 + 30, y + height // 2 + 50)
    app.keys("Next")
    app.set_value("slider", "Frame", frame)
    vg_gui.wait_for("the frame", lambda: app.has_label("%d of 12" % frame))
    app.still(picture(app))
    app.keys("ctrl+s")
    app.dialog_path(first)
    vg_gui.wait_for("the session file", lambda: os.path.exists(first))
    app.close()
    app = vg_gui.App(program, "--session", first)
    vg_gui.wait_for("the setting", lambda: app.value("slider", name) == 5)
    vg_gui.wait_for("the picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("the frame", lambda: app.has_label("%d of 12" % frame))
    app.still(picture(app))
    app.keys("ctrl+shift+s")       # Save would write the file that is open
    app.dialog_path(second)
    vg_gui.wait_for("the second file", lambda: os.path.exists(second))
    app.close()
    assert filecmp.cmp(first, second,
                       shallow=False), open(first).read() + "\n---\n" + open(second).read()


def open_file(app, path):
    app.keys("ctrl+o")
    app.dialog_path(path)
    vg_gui.wait_for("the title", lambda: app.has_label(os.path.basename(path)))


def too_large_is_said_each_time(program):
    """No screen holds it: one line says so, and nothing of other data stays."""
    vg_gui.write_tiff(WIDE, 60000, 3, 1, lambda page, x, y: 1000 + (x * 7 + y) % 50)

    def banner_is_red():
        alert = next((node for node in app.walk()
                      if node.getRoleName() == "alert" and "60000x3" in node.name), None)
        if alert is None:
            return False
        red, green, blue, _ = app.colors(alert, 4)
        return red > 2 * green and red > 2 * blue

    os.environ["GDK_DEBUG"] = "gl-prefer-gl"    # without OpenGL there is no largest image
    app = open_paused(program, PAGE)
    del os.environ["GDK_DEBUG"]
    for _ in range(2):
        open_file(app, WIDE)
        vg_gui.wait_for("the banner", banner_is_red)
        open_file(app, PAGE)
        vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
        vg_gui.wait_for("an empty place", lambda: not banner_is_red())
    app.close()


def recording_is_a_stack(program):
    path = HOME + "/recorded.tif"
    app = vg_gui.App(program)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.05)
    app.keys("ctrl+r")
    app.dialog_path(path)
    vg_gui.wait_for("frames", lambda: any(
        re.match(r"Recording .* · [1-9]\d* frames? ", vg_gui.ungroup(text))
        for text in app.labels()))
    app.wait_for_main_window()
    app.keys("ctrl+r")
    text = vg_gui.wait_for(
        "the notice", lambda: next(
            (node.name for node in app.walk() if node.name.startswith("Recorded ")), None))
    frames = int(text.split()[1])
    assert frames > 0, text
    app.close()
    assert "%d frames" % frames in vg_gui.sh(program, "info", path)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(saving_begins_in_a_folder, bad_file_changes_nothing, export_is_what_run_writes,
               too_large_is_said_each_time, session_comes_back, recording_is_a_stack)
