# SPDX-License-Identifier: MIT
"""How a file is read: its channels, what its pages are, and that what one
file says of itself does not stay for the next."""
import gzip
import math
import os
import struct
import time
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
TWO = HOME + "/two.sdt"
ONE = HOME + "/one.sdt"
STACK = HOME + "/decay.tif"
SERIES = HOME + "/series.nii.gz"
TIMED = HOME + "/timed.nii.gz"
WIDTH, HEIGHT, BINS = 24, 16, 64


def counts(lifetime, x, y, bin_ns, bin):
    """A decay whose lifetime grows to the right by a half."""
    tau = lifetime * (1 + x / (2 * WIDTH))
    return int(2000 * math.exp(-bin * bin_ns / tau) * (1 - math.exp(-bin_ns / tau)))


def write_sdt(path, bin_ns, *lifetimes, shaded=False):
    """Writes a Becker & Hickl file with a block of 16-bit counts for each lifetime; SHADED: the
    counts decrease towards the top."""
    description = bytearray(512)
    struct.pack_into("<f", description, 64, bin_ns * BINS * 1e-9)
    struct.pack_into("<h", description, 68, 1)
    struct.pack_into("<h", description, 82, BINS)
    struct.pack_into("<4i", description, 173, WIDTH, HEIGHT, 1, 1)
    struct.pack_into("<f", description, 247, 4e7)
    size = WIDTH * HEIGHT * BINS * 2
    first = 42 + len(description)
    with open(path, "wb") as file:
        file.write(
            struct.pack("<hihiHihIihhHIHH", 0x28e, 42, 0, 42, 0, first, len(lifetimes), size, 42, 1,
                        512, 0x5555, 0, 0, 0))
        file.write(description)
        for number, lifetime in enumerate(lifetimes):
            at = file.tell()
            file.write(struct.pack("<hiiHhII", number, at + 22, at + 22 + size, 0x13, 0, 0, size))
            file.write(
                struct.pack(
                    "<%dH" % (size // 2),
                    *(counts(lifetime, x, y, bin_ns, bin) * (y + 1 if shaded else HEIGHT) // HEIGHT
                      for y in range(HEIGHT) for x in range(WIDTH) for bin in range(BINS))))


def picture(app):
    return app.get("image", "Result picture")


def bin_width(app):
    return round(app.value("spin button", "Bin width, ns"), 4)


def channel(app):
    return " ".join(app.labels(app.get("combo box", "Channel")))


def total(lifetime, bin_ns):
    """The status bar's text of all photons of a channel."""
    return "Photons %d" % sum(
        counts(lifetime, x, 0, bin_ns, bin) * HEIGHT for x in range(WIDTH) for bin in range(BINS))


def caution(app):
    """In the banner: among the results its words stand on."""
    return next((node for node in app.walk()
                 if node.getRoleName() == "alert" and "Bin width unknown" in node.name and any(
                     other.name == "Close this message" for other in node.parent.children)), None)


def choose(app, name, *keys):
    app.click(app.get("combo box", name))
    app.keys(*keys)


def a_channel_is_chosen(program):
    write_sdt(TWO, 0.2, 1.0, 3.0)
    write_sdt(ONE, 0.4, 2.0)
    first, second = total(1.0, 0.2), total(3.0, 0.2)
    app = vg_gui.App(program, "--operation", "lifetime", TWO)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("its first channel", lambda: "1 of 2" in channel(app))
    vg_gui.wait_for("its bin width", lambda: bin_width(app) == 0.2)
    vg_gui.wait_for("its photons", lambda: app.has_label(first))
    choose(app, "Channel", "Down", "Return")
    vg_gui.wait_for("other photons", lambda: app.has_label(second))
    vg_gui.wait_for("the channel in the list", lambda: "2 of 2" in channel(app))
    app.keys("ctrl+z")
    vg_gui.wait_for("the first channel again", lambda: app.has_label(first))
    vg_gui.wait_for("the first channel in the list", lambda: "1 of 2" in channel(app))
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("the second channel again", lambda: app.has_label(second))
    vg_gui.wait_for("the second channel in the list", lambda: "2 of 2" in channel(app))
    # another file: its own bin width, and nothing to choose; what is kept is of the one before
    app.press("push button", "Keep")
    vg_gui.wait_for("the kept result", lambda: app.has_label("Kept at "))
    app.keys("ctrl+o")
    app.dialog_path(ONE)
    vg_gui.wait_for("the title", lambda: app.has_label("one.sdt"))
    vg_gui.wait_for("its bin width", lambda: bin_width(app) == 0.4)
    vg_gui.wait_for("the kept one's file", lambda: app.has_label("two.sdt"))
    app.press("push button", "Discard the kept result")
    vg_gui.wait_for("no channels", lambda: not app.find("combo box", "Channel"))
    # what the user sets stays
    app.set_value("spin button", "Bin width, ns", 0.3)
    app.keys("ctrl+o")
    app.dialog_path(TWO)
    vg_gui.wait_for("the title", lambda: app.has_label("two.sdt"))
    vg_gui.wait_for("its first channel", lambda: "1 of 2" in channel(app))
    time.sleep(0.5)
    assert bin_width(app) == 0.3, bin_width(app)
    app.close()


def can_be_reset(app, label):
    return app.find("push button", "Reset " + label) is not None


def sample_leaves_nothing_behind(program):
    """After the sample data a file's own bin width, also by undo; neither counts as set by hand."""
    write_sdt(ONE, 0.4, 2.0)
    app = vg_gui.App(program, "--operation", "lifetime", "--backend", "cpu")
    vg_gui.wait_for("the sample's bin width", lambda: bin_width(app) == 0.1)
    app.keys("ctrl+o")
    app.dialog_path(ONE)
    vg_gui.wait_for("the file's bin width", lambda: bin_width(app) == 0.4)
    vg_gui.wait_for("nothing to reset", lambda: not can_be_reset(app, "Bin width"))
    app.keys("ctrl+z")
    vg_gui.wait_for("the sample's again", lambda: bin_width(app) == 0.1)
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("the file's again", lambda: bin_width(app) == 0.4)
    app.set_value("spin button", "Bin width, ns", 0.3)
    vg_gui.wait_for("something to reset", lambda: can_be_reset(app, "Bin width"))
    app.press("push button", "Reset Bin width")
    vg_gui.wait_for("the file's once more", lambda: bin_width(app) == 0.4)
    app.close()


def pages_are_bins(program):
    vg_gui.write_tiff(STACK, WIDTH, HEIGHT, BINS, lambda page, x, y: counts(2.0, x, y, 0.1, page))
    app = vg_gui.App(program, "--operation", "lifetime", "--pages", "bins", STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("what the pages are",
                    lambda: "Time bins" in " ".join(app.labels(app.get("combo box", "Pages"))))
    # that their width is a guess is said over the picture, until it is known
    vg_gui.wait_for("the caution", lambda: caution(app))
    x, y, width, height = place = vg_gui.steady("the picture", lambda: app.box(picture(app)))
    alert = app.box(caution(app))
    assert y <= alert[1] < y + height // 4, "over the upper edge of the picture"
    assert alert[0] + alert[2] < x + width - 60, "beside the colour bar"
    app.set_value("spin button", "Bin width, ns", 0.2)
    vg_gui.wait_for("no caution", lambda: not caution(app))
    assert vg_gui.steady("the picture", lambda: app.box(picture(app))) == place, "it has moved"
    app.keys("ctrl+z")
    vg_gui.wait_for("the caution again", lambda: caution(app))
    app.keys("Escape")
    vg_gui.wait_for("that it is closed", lambda: not caution(app))
    app.close()


def write_nifti(path, interval, width=16, height=12, slices=2, frames=40):
    """A contrast series: every voxel's curve rises and falls, the right ones later."""
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 4, width, height, slices, frames, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 16, 32)
    struct.pack_into("<8f", head, 76, 1, 2, 2, 3, interval, 0, 0, 0)
    struct.pack_into("<2f", head, 108, 352, 1)
    head[123] = 2 | 8
    head[344:348] = b"n+1\0"
    with gzip.open(path, "wb") as file:
        file.write(head)
        for frame in range(frames):
            for voxel in range(width * height * slices):
                t = max(frame * 2 - 10, 0) / (4 + voxel % width)
                file.write(struct.pack("<f", t * math.exp(1 - t)))


def frame_times_are_shown(program):
    write_nifti(TIMED, 2.0)
    write_nifti(SERIES, 0.008)
    app = vg_gui.App(program, "--operation", "perfusion", TIMED)
    vg_gui.wait_for("the frame interval",
                    lambda: app.has_label("Frame interval: 2 s, from the file"))
    vg_gui.wait_for("its setting", lambda: app.value("spin button", "Frame interval, s") == 2)
    # one that can not be: nothing is computed with it until it is set
    app.keys("ctrl+o")
    app.dialog_path(SERIES)
    vg_gui.wait_for("what is wrong", lambda: app.has_label("probably the repetition time"))
    app.set_value("spin button", "Frame interval, s", 2)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    app.close()


def regions_of_other_slices(program):
    """Regions are removed when data with other slices open; Undo restores data and regions."""
    write_nifti(TIMED, 2.0)
    write_nifti(SERIES, 2.0, slices=3)
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu", TIMED)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    x, y, width, height = app.box(picture(app))
    app.choose_tool("Rectangle tool")
    app.drag(x + width * 2 // 5, y + height * 2 // 5, x + width // 2, y + height // 2)
    vg_gui.wait_for("the region", lambda: app.has_label("Region 1"))
    app.keys("ctrl+o")
    app.dialog_path(SERIES)
    said = vg_gui.wait_for("the warning", lambda: next(
        (node.name for node in app.walk()
         if node.getRoleName() == "alert" and "regions were removed" in node.name), None))
    assert "drawn on data of 16 x 12 pixels in 2 slices and the opened data have 16 x 12 " \
           "pixels in 3 slices" in said, said
    assert not app.has_label("Region 1")
    app.keys("ctrl+z")
    vg_gui.wait_for("its data", lambda: app.has_label(os.path.basename(TIMED)))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(sample_leaves_nothing_behind, a_channel_is_chosen, pages_are_bins,
               frame_times_are_shown, regions_of_other_slices)
