# SPDX-License-Identifier: MIT
"""Bare frames: a file that does not say how large its frames are is asked about."""
import os
import struct
import vg_gui

PATH = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/camera.raw"


def write():
    """Ten frames of 96 x 64 samples, 16-bit, behind 32 other bytes."""
    grain = [(i * 2654435761 >> 7) % 1500 + 200 for i in range(10 * 96 * 64)]
    with open(PATH, "wb") as file:
        file.write(b"\xff\x00\x01camera" + bytes(23) + struct.pack("<%dH" % len(grain), *grain))


def ask_for_size(program):
    write()
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", PATH)
    vg_gui.wait_for("the question",
                    lambda: app.has_label("camera.raw\" does not give the size of its frames."))
    app.set_value("spin button", "Width, px", 96)
    app.set_value("spin button", "Height, px", 6400)
    vg_gui.wait_for("a file too small", lambda: app.has_label("less than one such frame"))
    app.set_value("spin button", "Height, px", 64)
    vg_gui.wait_for("what is left over",
                    lambda: app.has_label("10 frames, and 32 bytes are left over."))
    app.set_value("spin button", "Bytes before the first frame", 32)
    vg_gui.wait_for("all of it", lambda: app.has_label("10 frames, and no bytes are left over."))
    app.press("push button", "Open raw frames")
    vg_gui.wait_for("the title", lambda: app.has_label("camera.raw") and
                    app.has_label("96x64, 16-bit, 10 frames"))
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    app.window = vg_gui.wait_for(
        "the main window alone", lambda: len(app._windows()) == 1 and app._find_window())
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(ask_for_size)
