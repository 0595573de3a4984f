# SPDX-License-Identifier: MIT
"""Bare frames: a file that does not say how large its frames are is asked about."""
import os
import struct
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
PATH = HOME + "/camera.raw"


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


def recent_files():
    """The names of those that the program lists.  GTK's file dialog adds what is chosen there in
    the name of the application, "Vivograph"."""
    with open(HOME + "/data/recently-used.xbel") as file:
        entries = file.read().split("<bookmark href=")[1:]
    return [os.path.basename(entry.split('"')[1]) for entry in entries
            if 'application name="vivograph"' in entry]


def an_unknown_format_leaves_ways_on(program):
    """A file in no known format: its message leads to the question and to the list of formats, and
    the file is not among the recent ones."""
    noise, known = HOME + "/noise.xyz", HOME + "/frames.tif"
    with open(noise, "wb") as file:
        file.write(bytes((i * 2654435761 >> 11) % 251 + 1 for i in range(20000)))
    vg_gui.write_tiff(known, 64, 48, 2, lambda page, x, y: 200 + (x * 7 + y * 13 + page) % 97)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", known)
    vg_gui.wait_for("the known file", lambda: app.has_label("64x48"))
    app.keys("ctrl+o")
    app.dialog_path(noise)
    app.press("push button", "Supported Formats")
    vg_gui.wait_for("the document", lambda: "Formats that are read" in " ".join(
        node.queryText().getText(0, -1) for node in app.walk() if node.getRoleName() == "text"))
    app.press("push button", "Open as Raw Frames…")
    vg_gui.wait_for("the question",
                    lambda: app.has_label("noise.xyz\" does not give the size of its frames."))
    vg_gui.wait_for("the recent files", lambda: "frames.tif" in recent_files())
    assert "noise.xyz" not in recent_files()
    app.keys("Escape")
    app.wait_for_main_window()
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(ask_for_size, an_unknown_format_leaves_ways_on)
