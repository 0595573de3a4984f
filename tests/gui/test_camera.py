# SPDX-License-Identifier: MIT
"""The simulated camera is opened from the menu, every frame is accounted for, and the user sets the
camera."""
import os
import re
import time
import vg_gui
from test_past import live_time
from test_read_options import picture

KEY_S = 0.4      # between two keys, more than the window's updates
HELD_S = 1.5     # longer than the window waits for the camera's answer
ROW = "Simulated camera: speckle over tissue with vessels"


def dialog(app):
    return next((node for node in app.bus.tree().children if node.name == "Open Camera"), None)


def open_simulated(app):
    app.click(app.get("push button", "More to open"))
    app.press("menu item", "Open Camera\u2026")
    vg_gui.wait_for("the dialog", lambda: dialog(app))
    app.wait_for_dialog()
    app.click(app.get("list item", ROW))
    app.press("push button", "Open Camera")
    vg_gui.wait_for("the camera", lambda: app.has_label("Simulated camera"))
    vg_gui.wait_for("its picture", lambda: app.colors(picture(app))[3] > 0.02)


def counts(app):
    """The frames that were sent, and the sum of what became of them."""
    told = vg_gui.wait_for("the counts", lambda: app.has_label("sent ="))
    numbers = [int(text) for text in re.findall(r"(\d+) (?=frame|shown|super|bad|lost|wait)",
                                                vg_gui.ungroup(told))]
    return numbers[0], sum(numbers[1:])


def from_the_menu(program):
    """In a view that takes no camera: the view changes to one that does."""
    app = vg_gui.App(program, "--operation", "lifetime", "--backend", "cpu")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.01)
    open_simulated(app)
    vg_gui.wait_for("the view", lambda: app.find("spin button", "Exposure time, ms"))
    vg_gui.wait_for("its state", lambda: app.has_label("Connected"))
    app.click(app.get("push button", "Performance"))
    vg_gui.wait_for("frames", lambda: counts(app)[0] > 10)
    received, accounted = counts(app)
    assert received == accounted, (received, accounted)
    app.keys("Escape")
    app.close()


def typed_slowly(program):
    """What is typed at the speed of a hand stays, and the field with the focus keeps its text while
    the camera delivers; then it shows what the camera made of it."""
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    for name, value, told in (("Camera: Exposure time, \u00b5s", 8000, 8000),
                              ("Camera: Gain, dB", 12.5, 12.5)):
        field = vg_gui.wait_for(name, lambda: app.find("spin button", name))
        app.hover(field)    # as a hand comes to it
        time.sleep(KEY_S)
        app.click(field)
        app.keys("ctrl+a")
        time.sleep(KEY_S)
        for key in "%g" % value:
            app.type(key)
            time.sleep(KEY_S)
        app.keys("Return", "Return")    # some press it twice, which must not choose a pixel
        vg_gui.wait_for("the value", lambda: abs(app.value("spin button", name) - told) < 1e-3)
        time.sleep(HELD_S)
        assert abs(app.value("spin button", name) - told) < 1e-3, app.value("spin button", name)
        assert not app.has_card(), "Enter in a number shows no pixel"
    vg_gui.wait_for("the operation's exposure",
                    lambda: abs(app.value("spin button", "Exposure time, ms") - 8) < 1e-3)
    app.close()


def is_unplugged(app):
    """Unplugs the camera for 2 s.  A busy machine may miss that, so the caller tries again."""
    app.click(app.get("push button", "Camera: Unplug"))
    return any(app.has_label("Waiting for the source") for _ in range(3))


def settings(program):
    """Exposure reaches the operation, and a pixel format opens the camera again; unplugged, it is
    waited for."""
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    exposure = "Camera: Exposure time, \u00b5s"
    vg_gui.wait_for("the settings", lambda: app.find("spin button", exposure))
    app.set_value("spin button", exposure, 8000)
    vg_gui.wait_for("the operation's exposure",
                    lambda: abs(app.value("spin button", "Exposure time, ms") - 8) < 1e-3)
    app.pick("Camera: Pixel format", "Mono12")
    vg_gui.wait_for("the camera again", lambda: app.has_label("12 used"))
    vg_gui.wait_for("its settings", lambda: app.find("spin button", exposure)
                    and abs(app.value("spin button", exposure) - 8000) < 1)
    app.press("push button", "All Settings\u2026")
    app.wait_for_dialog()
    app.type("disconnected")
    vg_gui.wait_for("the loss", lambda: is_unplugged(app))
    vg_gui.wait_for("its return", lambda: app.has_label("Connected"))
    app.keys("Escape")
    app.close()


def type_region(app, region):
    app.click(app.get("text", "Camera: Region, px"))
    app.keys("ctrl+a")
    app.type(region)
    app.keys("Return")


def refused_region(program):
    """A region that the camera does not take, or that would end a recording, changes nothing."""
    path = os.environ["HOME"] + "/region.tif"
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("frames", lambda: live_time(app) > 3)
    type_region(app, "0,0,5000,10")
    vg_gui.wait_for("the range", lambda: app.has_label(
        "The camera does not accept Region=0,0,5000,10; it accepts X,Y,W,H within 1280x1024 px, at "
        "least 16x16 px."))
    app.keys("ctrl+r")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.has_label("Recording region"))
    before = live_time(app)
    assert before > 3, before    # the camera was not opened again
    type_region(app, "0,0,64,64")
    vg_gui.wait_for("the refusal", lambda: app.has_label(
        "Region=0,0,64,64 opens the camera again, which would end the recording. Stop the "
        "recording first."))
    vg_gui.wait_for("later frames", lambda: live_time(app) > before + 1)
    assert app.has_label("Recording region") and not os.path.exists(path)
    app.keys("ctrl+r")
    vg_gui.wait_for("the end", lambda: os.path.exists(path))
    type_region(app, "0,0,64,64")
    vg_gui.wait_for("the new region", lambda: app.has_label("64x64"))
    app.close()


def waited(app, address):
    """For how many seconds the window has waited for the first frame of ADDRESS; 0: it does not."""
    told = app.has_label("Waiting for the first frame of " + address) or ""
    return int(re.search(r", (\d+)\u00a0s", told + ", 0\u00a0s").group(1))


def silent_source(program):
    """A source that sends nothing is named with the time; what the source before says, which is
    left, is not shown."""
    folder = os.environ["HOME"] + "/empty"
    os.mkdir(folder)
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Trigger=Line0")
    vg_gui.wait_for("the wait", lambda: waited(app, "test:speckle") >= 1)
    app.click(app.get("push button", "More to open"))
    app.press("menu item", "Open Camera\u2026")
    vg_gui.wait_for("the dialog", lambda: dialog(app))
    app.wait_for_dialog()
    assert app.has_label("igtl-listen://PORT") and app.has_label("shm:NAME")
    app.click(app.get("text", "Address"))
    app.type("watch:" + folder)
    app.keys("Return")
    vg_gui.wait_for("the wait", lambda: waited(app, "watch:" + folder) >= 9)
    assert app.has_label("Check that files in a supported format")
    told = " ".join(node.name for node in app.walk() if node.getRoleName() == "alert")
    assert "contains no complete, readable file yet" in told and "trigger" not in told, told
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(from_the_menu, settings, refused_region, silent_source, typed_slowly)
