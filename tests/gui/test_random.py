# SPDX-License-Identifier: MIT
"""The program survives random clicks, drags, wheel turns and keys, which a seed determines.
VG_GUI_SECONDS is the time for each seed, VG_GUI_SEEDS lists the seeds."""
import os
import random
import subprocess
import time
import vg_gui

SECONDS = float(os.environ.get("VG_GUI_SECONDS", "20"))
SEEDS = [int(seed) for seed in os.environ.get("VG_GUI_SEEDS", "999 1 2").split()]
WIDTH, HEIGHT = 1280, 800
KEYS = [
    "ctrl+o", "ctrl+shift+o", "ctrl+s", "ctrl+e", "ctrl+p", "ctrl+comma", "ctrl+question", "ctrl+z",
    "ctrl+shift+z", "space", "period", "comma", "k", "c", "m", "h", "r", "e", "p", "s", "w", "f",
    "0", "1", "plus", "minus", "Page_Up", "Page_Down", "shift+Page_Up", "Escape", "Tab",
    "shift+Tab", "Return", "Up", "Down", "Left", "Right", "Home", "End", "Delete", "BackSpace",
    "F9", "F10", "F11", "alt+1", "alt+3"
]
FOLDER = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/files"
# Harmless messages about faults of GTK 4.8: it looks for the monitor of a window that was dragged
# off the screen, and for the widget below the pointer when a tooltip is due in a closed window;
# and it reads rows of its file list that are gone, or sorts a list that has no files yet.
GTKS_OWN = ("gtk_file_system_model_get_value", "gdk_monitor_get_geometry",
            "gdk_surface_get_device_position", "_gtk_widget_find_at_coords", "gtk_tree_sortable_")


def place(chance):
    """Not the buttons that end the program."""
    while True:
        x, y = chance.randrange(4, WIDTH - 4), chance.randrange(4, HEIGHT - 4)
        if y > 70 or x < 1100:
            return [str(x), str(y)]


def action(chance):
    """What is asked of xdotool next."""
    kind = chance.random()
    if kind < 0.4:
        return ["mousemove", *place(chance), "click", chance.choice("1111123")]
    if kind < 0.55:
        return [
            "mousemove", *place(chance), "mousedown", "1", "mousemove", *place(chance), "mouseup",
            "1"
        ]
    if kind < 0.65:
        return [
            "mousemove", *place(chance), "click", "--repeat",
            str(chance.randrange(1, 6)), "--delay", "5",
            chance.choice("45")
        ]
    return ["key", chance.choice(KEYS)]


def act(chance, done):
    """One more action after DONE others."""
    words = action(chance)
    # Programs often crash in a file dialog that ends while it still lists its folder.
    if done % 12 == 5:
        words = [
            "key", "--delay", "40",
            chance.choice(["ctrl+o", "ctrl+shift+o", "ctrl+s", "ctrl+e"]), "Escape", "ctrl+o",
            "Escape"
        ]
    subprocess.run(["xdotool", *words], capture_output=True, timeout=60)


def check_alive(app, seed, done):
    """The program runs and answers."""
    status = app.process.poll()
    assert status is None, "seed %d: the program ended with %s after %d actions: %s" % (
        seed, status, done, app.stderr())
    app.bus.tree()


def criticals(app):
    """What the program has said about faults."""
    return [line for line in app.stderr().splitlines()
            if "CRITICAL" in line and not any(name in line for name in GTKS_OWN)]


def make_folder():
    """The folder in which the program writes, with files that take a while to be listed."""
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    os.environ["G_DEBUG"] = ""      # criticals are read afterwards
    for number in range(3000):
        open("%s/file-%04d.tif" % (FOLDER, number), "w").close()


def drive(program, seed):
    chance = random.Random(seed)
    app = vg_gui.App(program, "--backend", "cpu")
    end, done = time.monotonic() + SECONDS, 0
    while time.monotonic() < end and app.process.poll() in (None, 0):
        if app.process.poll() == 0:     # the menu has Quit
            assert not criticals(app), "seed %d: %s" % (seed, "; ".join(criticals(app)))
            app = vg_gui.App(program, "--backend", "cpu")
        act(chance, done)
        done += 1
    time.sleep(1)      # what was begun by the last of them may still end badly
    if app.process.poll() != 0:
        check_alive(app, seed, done)
    assert not criticals(app), "seed %d: %s" % (seed, "; ".join(criticals(app)))
    app.process.kill()
    app.process.wait()
    print("seed %d: %d actions" % (seed, done), flush=True)


def lives_through_anything(program):
    make_folder()
    for seed in SEEDS:
        drive(program, seed)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(lives_through_anything)
