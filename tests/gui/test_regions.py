# SPDX-License-Identifier: MIT
"""Regions from a file: a label mask, a list, and a mask of another picture."""
import os
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
STACK, MASK, OTHER, LIST = (HOME + "/" + name
                            for name in ("stack.tif", "mask.tif", "other.tif", "list.txt"))
WIDTH, HEIGHT = 64, 48


def label(x, y):
    """A square, a disc and one pixel."""
    if 4 <= x < 14 and 5 <= y < 15:
        return 7
    if (x - 40) ** 2 + (y - 24) ** 2 < 100:
        return 12
    return 500 if (x, y) == (60, 40) else 0


def areas(app):
    """Pixels of the regions, in their order."""
    texts = [vg_gui.ungroup(text) for text in app.labels(app.get("scroll pane", "Regions"))]
    columns = 9 if "% of baseline" in texts else 8
    cells = [
        text for text in texts
        if text.replace(".", "").replace("-", "").replace("–", "0").isdigit()
    ]
    return [int(cells[i + columns - 1]) for i in range(0, len(cells) - columns + 1, columns)]


def take(app, path):
    app.press("push button", "Import regions")
    app.dialog_path(path)
    app.wait_for_main_window()
    # GTK 4.8 tells assistive technology of rows that were hidden only when their page is shown anew
    app.show_page("Curve")
    app.show_page("Table")


def regions_are_imported(program):
    vg_gui.write_tiff(STACK, WIDTH, HEIGHT, 3, lambda page, x, y: 1000 + 10 * x + y)
    vg_gui.write_tiff(MASK, WIDTH, HEIGHT, 1, lambda page, x, y: label(x, y))
    vg_gui.write_tiff(OTHER, WIDTH, HEIGHT - 1, 1, lambda page, x, y: label(x, y))
    with open(LIST, "w") as file:
        file.write("rect:1,2,3,4 vein\n")
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    app.pause()
    app.show_page("Table")
    take(app, MASK)
    disc = sum(label(x, y) == 12 for x in range(WIDTH) for y in range(HEIGHT))
    vg_gui.wait_for("the labels' pixels", lambda: areas(app) == [100, disc, 1])
    take(app, OTHER)
    vg_gui.wait_for(
        "the refusal",
        lambda: any("64x47 pixels, but the image is 64x48" in node.name for node in app.walk()))
    vg_gui.wait_for("the regions as they were", lambda: len(areas(app)) == 3)
    take(app, LIST)
    vg_gui.wait_for("the list's region", lambda: areas(app)[3:] == [12])
    # a step each
    app.keys("ctrl+z")
    vg_gui.wait_for("the labels alone", lambda: len(areas(app)) == 3)
    app.keys("ctrl+z")
    vg_gui.wait_for("none again", lambda: not areas(app))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(regions_are_imported)
