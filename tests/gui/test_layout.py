# SPDX-License-Identifier: MIT
"""The picture is as large as the window lets it be, and the panes are at each start as large as
they were left, maximised or not."""
import os
import re
import shutil
import subprocess
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
SETTINGS = HOME + "/config/vivograph/window.ini"
SIDE = 512     # of the map, px


def write_settings(**settings):
    os.makedirs(os.path.dirname(SETTINGS), exist_ok=True)
    with open(SETTINGS, "w") as file:
        file.write("[window]\n")
        file.writelines("%s=%d\n" % (key.replace("_", "-"), settings[key]) for key in settings)


def remembered():
    with open(SETTINGS) as file:
        return {
            key: int(value)
            for key, _, value in (line.strip().partition("=") for line in file) if value.isdigit()
        }


def picture(app):
    return app.get("image", "Result picture")


def zoom(app):
    """Screen pixels per image pixel, as the bar over the picture says."""
    text = next((text for text in app.labels() if re.fullmatch(r"\d+ %", text)), None)
    return text and int(text.split()[0]) / 100


def image_size(app):
    """Height and width of the drawn map, which the picture holds."""
    vg_gui.wait_for("the zoom", lambda: zoom(app))
    found, box = vg_gui.steady("the zoom", lambda: (zoom(app), app.box(picture(app))))
    size = found * SIDE
    assert size <= min(box[2], box[3]) + 3, (size, box)
    return size


def share(program, width, height):
    """The map's share of the window, with its default layout."""
    write_settings(width=width, height=height)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", HOME + "/map.tif")
    found = image_size(app) ** 2 / (width * height)
    print("%d x %d: %.1f %%" % (width, height, 100 * found))
    return app, found


def sample(page, x, y):
    return 500 + (x * 7919 + y * 104729 + x * y * 31 + page * 13) % 800


def shows(app, role, name):
    return app.find(role, name) is not None


def picture_first(program):
    vg_gui.write_tiff(HOME + "/map.tif", SIDE, SIDE, 2, sample)
    app, found = share(program, 1600, 1000)
    assert found >= 0.40, found
    # plots below, at the right and hidden; each place has its own size
    before = app.box(picture(app))
    app.keys("F8")
    vg_gui.wait_for("a wider picture", lambda: app.box(picture(app))[2] > before[2] + 200)
    vg_gui.wait_for("no plots", lambda: not shows(app, "panel", "Plots and regions"))
    app.keys("F8")
    vg_gui.wait_for("the plots", lambda: app.box(picture(app)) == before)
    app.close()
    app, found = share(program, 1000, 700)
    assert found >= 0.30, found
    # the side pane lies over the picture; a button shows it, and a key
    before = app.box(picture(app))
    assert not shows(app, "scroll pane", "Settings")
    app.click(app.get("push button", "Side pane"))
    vg_gui.wait_for("the side pane",
                    lambda: shows(app, "scroll pane", "Settings"))
    vg_gui.wait_for("the picture as it was", lambda: app.box(picture(app)) == before)
    app.keys("F9")
    vg_gui.wait_for("the picture alone",
                    lambda: not shows(app, "scroll pane", "Settings"))
    app.close()


def live(program):
    """Also a live sample, whose bar below the image is the widest, has its plots at the right."""
    write_settings(width=1280, height=800)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a large image", lambda: (zoom(app) or 0) >= 0.9)
    app.close()


def panes(program, maximized, starts):
    """The sizes of the panes are kept over several starts of a window that is smaller than the
    screen.  The last start has the plots below the picture."""
    found = []
    write_settings(width=1400, height=900, side_width=371, plots_width=313, plots_height=263,
                   maximized=maximized, plots=1)
    for start in range(starts):
        app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
        size = "Geometry: 1600x1000" if maximized else "Geometry: 1400x900"
        vg_gui.wait_for("the window's size",
                        lambda: size in vg_gui.sh("xdotool", "getwindowgeometry", app.window))
        vg_gui.steady("the side pane", lambda: app.box(app.get("scroll pane", "Settings")))
        plots = app.box(app.get("panel", "Plots and regions"))
        found.append((app.box(app.get("scroll pane", "Settings"))[2], *plots[2:]))
        app.close()
        now = remembered()
        assert now["maximized"] == maximized, now
        sizes = [now[key] for key in ("side-width", "plots-width", "plots-height")]
        assert sizes == [371, 313, 263], now
        if start == starts - 2:
            write_settings(**dict({key.replace("-", "_"): now[key] for key in now}, plots=2))
    return found


def plain_and_maximized(program):
    modes = {0: 2}
    if shutil.which("openbox"):
        manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
        modes[1] = 5
        vg_gui.wait_for(
            "the window manager", lambda: "_NET_SUPPORTING_WM_CHECK(WINDOW)" in vg_gui.sh(
                "xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
    else:
        print("maximised is skipped: needs openbox")
    for maximized, starts in modes.items():
        found = panes(program, maximized, starts)
        assert all(abs(side - 371) <= 2 for side, _, _ in found), (maximized, found)
        assert all(abs(width - 313) <= 2 for _, width, _ in found[:-1]), (maximized, found)
        assert abs(found[-1][2] - 263) <= 2, (maximized, found)
    if shutil.which("openbox"):
        manager.terminate()


def plots_share_the_room(program):
    """A page with many numbers leaves another one its room: the numbers scroll."""
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu")
    vg_gui.wait_for("two plots", lambda: app.pages() == ["Input curves", "Curve"])
    vg_gui.wait_for("the fit", lambda: app.has_label("Total inflow"))
    assert vg_gui.steady("the plots", app.pages) == ["Input curves", "Curve"]
    app.close()


if __name__ == "__main__":
    vg_gui.enter("1600x1000")
    vg_gui.run(picture_first, live, plain_and_maximized, plots_share_the_room)
