# SPDX-License-Identifier: MIT
"""Nothing unsaved is lost: after a crash it is offered, Save saves where the
session is, and a session asks before it opens files elsewhere."""
import glob
import os
import signal
import vg_gui
from test_files import STACK, noise
from test_opening import alert

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
STATE = os.environ.get("XDG_STATE_HOME", HOME + "/.local/state") + "/vivograph"


def journals():
    return glob.glob(STATE + "/unsaved-*.vivograph")


def setting(program):
    parameter = next(p for p in vg_gui.describe(program)["parameters"]
                     if p["kind"] == "whole number" and p["max"] <= 64)
    return parameter["label"] + (", " + parameter["unit"] if parameter["unit"] else "")


def start(program, *arguments):
    app = vg_gui.App(program, "--backend", "cpu", *arguments)
    vg_gui.wait_for("a map", lambda: app.has_label(" of 12"))
    return app


def after_a_crash(program):
    """Two windows: one is killed, the other's work is nobody's to take."""
    name = setting(program)
    vg_gui.write_tiff(STACK, 96, 64, 12, noise)
    app = start(program, STACK)
    assert not journals(), "nothing was changed"
    app.set_value("slider", name, 5)
    vg_gui.wait_for("the journal", journals)
    app.process.send_signal(signal.SIGKILL)
    app.process.wait()
    assert len(journals()) == 1
    app = start(program, STACK)
    vg_gui.wait_for("the offer", lambda: alert(app, "Unsaved work from "))
    assert app.value("slider", name) != 5
    app.press("push button", "Restore")
    vg_gui.wait_for("the setting", lambda: app.value("slider", name) == 5)
    vg_gui.wait_for("that it is kept on",
                    lambda: len(journals()) == 1 and not alert(app, "Unsaved work from "))
    app.close()
    assert not journals(), "a clean end leaves nothing"


def camera_after_a_crash(program):
    """The camera has the settings that it was given while it ran."""
    name, rate = setting(program), "Camera: Frame rate, 1/s"
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("the camera", lambda: app.find("spin button", rate))
    app.set_value("slider", name, 5)
    vg_gui.wait_for("the journal", journals)
    app.set_value("spin button", rate, 6)
    vg_gui.wait_for("the setting", lambda: "FrameRate=6" in open(journals()[0]).read())
    app.process.send_signal(signal.SIGKILL)
    app.process.wait()
    app = vg_gui.App(program, "--backend", "cpu")
    vg_gui.wait_for("the offer", lambda: alert(app, "Unsaved work from "))
    app.press("push button", "Restore")
    vg_gui.wait_for("the camera", lambda: app.find("spin button", rate)
                    and app.value("spin button", rate) == 6)
    app.close()


def save_saves(program):
    name, first = setting(program), HOME + "/named.vivograph"
    app = start(program, STACK)
    app.keys("ctrl+s")          # has no name yet
    app.dialog_path(first)
    vg_gui.wait_for("the file", lambda: os.path.exists(first))
    before = open(first).read()
    app.set_value("slider", name, 7)
    vg_gui.wait_for("the journal", journals)
    app.keys("ctrl+s")
    vg_gui.wait_for("the new text", lambda: open(first).read() != before)
    vg_gui.wait_for("no journal", lambda: not journals())
    app.wait_for_main_window()      # no question was asked
    app.keys("ctrl+shift+s")
    app.wait_for_dialog()
    app.keys("Escape")
    app.close()


def a_session_asks(program):
    """About a file that is not beside it, once; what is no file is refused."""
    folder = HOME + "/from-elsewhere"
    session, pipe = folder + "/theirs.vivograph", folder + "/pipe.vivograph"
    os.makedirs(folder)
    os.mkfifo(folder + "/fifo.tif")
    for path, file in (session, STACK), (pipe, "fifo.tif"):
        with open(path, "w") as out:
            out.write("[session]\nversion=1\noperation=flow\n\n[flow]\ninputs=%s;\n\n"
                      "[flow parameters]\nradius=4\n" % file)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", "--session", pipe)
    vg_gui.wait_for("the refusal", lambda: alert(app, "not a regular file"))
    app.keys("ctrl+o")
    app.dialog_path(session)
    vg_gui.wait_for("the question", lambda: alert(app, STACK))
    assert not app.has_label(" of 12")
    app.press("push button", "Open These Files")
    vg_gui.wait_for("the data", lambda: app.has_label(" of 12"))
    app.close()
    app = start(program, "--session", session)      # not asked again
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(after_a_crash, camera_after_a_crash, save_saves, a_session_asks)
