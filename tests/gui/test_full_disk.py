# SPDX-License-Identifier: MIT
"""Exports that fail at the disk, and the command on the clipboard.  A limit on the size of files
stands for a full disk: both end a write in its middle."""
import os
import resource
import shlex
import subprocess
import vg_gui
from test_export import HOME, open_stack, says, toggle

FOLDER = HOME + "/results"
# Another program, which prints what it reads from the clipboard.
PASTE = """
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk
def ask():
    window.get_clipboard().read_text_async(None, read)
def read(clipboard, result):
    try:
        print(clipboard.read_text_finish(result), flush=True)
        loop.quit()
    except GLib.Error:    # it does not know yet that there is a text
        GLib.timeout_add(100, ask)
Gtk.init()
window, loop = Gtk.Window(), GLib.MainLoop()
window.present()
ask()
loop.run()
"""


def export_report(app):
    app.keys("ctrl+e")
    app.wait_for_dialog()
    app.keys("ctrl+a")
    app.type(FOLDER)
    toggle(app, "Report")
    app.press("push button", "Export")


def listing():
    return {name: open(os.path.join(FOLDER, name), "rb").read() for name in os.listdir(FOLDER)}


def a_full_disk_leaves_what_was_there(program):
    app = open_stack(program)
    os.mkdir(FOLDER)
    with open(FOLDER + "/notes.txt", "w") as file:
        file.write("mine")
    before = listing()
    most = resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (2000, most[1]))
    export_report(app)
    vg_gui.wait_for("the words about it",
                    lambda: says(app, "free some space") and says(app, "annot write"))
    vg_gui.wait_for("the folder as it was", lambda: listing() == before)
    resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, most)
    app.press("push button", "Export")      # of the dialog, which kept the answers
    vg_gui.wait_for("the report", lambda: os.path.exists(FOLDER + "/report.html"))
    with open(FOLDER + "/report.html", encoding="utf-8") as file:
        assert "a stack.tif</h1>" in file.read()
    with open(FOLDER + "/notes.txt", encoding="utf-8") as file:
        assert file.read() == "mine"
    app.close()


def the_command_is_pasted(program):
    app = open_stack(program)
    app.keys("ctrl+e")
    app.wait_for_dialog()
    command = vg_gui.wait_for("the command", lambda: next(
        (node.name for node in app.walk() if node.name.startswith("vivograph run ")), None))
    app.press("push button", "Copy Command")
    pasted = subprocess.run(["/usr/bin/python3", "-c", PASTE], stdout=subprocess.PIPE, text=True,
                            timeout=vg_gui.LATE, check=True).stdout
    assert shlex.split(pasted) == shlex.split(command), pasted
    app.keys("Escape")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(a_full_disk_leaves_what_was_there, the_command_is_pasted)
