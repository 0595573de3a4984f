# SPDX-License-Identifier: MIT
"""The panes are at each start as large as they were left, maximised or not."""
import os
import shutil
import subprocess
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
SETTINGS = HOME + "/config/vivograph/window.ini"
STARTS = int(os.environ.get("VG_GUI_STARTS", "3"))


def remembered():
    with open(SETTINGS) as file:
        return {
            key: int(value)
            for key, _, value in (line.strip().partition("=") for line in file) if value.isdigit()
        }


def panes(program, maximized):
    """The sizes of the panes are kept over several starts of a window that is smaller than the
    screen."""
    found = []
    os.makedirs(os.path.dirname(SETTINGS), exist_ok=True)
    with open(SETTINGS, "w") as file:
        file.write(
            "[window]\nwidth=1000\nheight=700\nside-width=371\nplots-height=263\nmaximized=%d\n" %
            maximized)
    for start in range(STARTS):
        app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
        size = "Geometry: 1280x800" if maximized else "Geometry: 1000x700"
        vg_gui.wait_for("the window's size",
                        lambda: size in vg_gui.sh("xdotool", "getwindowgeometry", app.window))
        vg_gui.steady("the side pane", lambda: app.box(app.get("scroll pane", "Settings")))
        app.close()
        now = remembered()
        assert now["maximized"] == maximized, now
        found.append((now["side-width"], now["plots-height"]))
    return found


def plain_and_maximized(program):
    modes = [0]
    if shutil.which("openbox"):
        manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
        modes.append(1)
        vg_gui.wait_for(
            "the window manager", lambda: "_NET_SUPPORTING_WM_CHECK(WINDOW)" in vg_gui.sh(
                "xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
    else:
        print("maximised is skipped: needs openbox")
    for maximized in modes:
        found = panes(program, maximized)
        assert all(abs(side - 371) <= 2 and abs(plots - 263) <= 2
                   for side, plots in found), (maximized, found)
    if shutil.which("openbox"):
        manager.terminate()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(plain_and_maximized)
