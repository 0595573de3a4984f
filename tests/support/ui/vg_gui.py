# SPDX-License-Identifier: MIT
"""Drives the window: starts the program under Xvfb on a session bus of its own,
finds controls by their accessible names (vg_access), and presses keys and mouse
buttons (xdotool).  Without these tools a test exits with 77: skipped."""
import collections
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SKIP = 77
SCREEN = "1280x800"
TRIES = 3         # displays
RATE = 8          # frames per second of live sample data: as many as a test needs to see
STUCK = "1800"    # seconds, after which a test is ended with its display
LATE = 180.0      # seconds, after which a missing reply means a fault, not a slow machine


def start_display(screen):
    """A display that answers, however long a busy machine takes to start it, with its name."""
    for attempt in range(TRIES):
        read, write = os.pipe()
        # Two servers that look for a free number at the same time may find the same one.
        number = 1000 + (TRIES * os.getpid() + attempt) % 50000
        # -r: a key that a busy machine releases late is still one key press.
        # -noreset: the server does not reset after its first client has ended.
        server = subprocess.Popen(
            ["Xvfb", ":%d" % number, "-noreset", "-displayfd", str(write), "-r",
             "-screen", "0", screen + "x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()      # once it takes clients; nothing when it has ended
        if number:
            return server, ":" + number
        server.wait()
    sys.exit("no display could be started")


def enter(screen=SCREEN, stuck=STUCK):
    """Runs the calling script again inside a display and a session bus, for at most STUCK."""
    if os.environ.get("VG_GUI_INSIDE"):
        return
    missing = [
        tool for tool in ("Xvfb", "dbus-run-session", "xdotool", "import", "convert")
        if not shutil.which(tool)
    ]
    probe = subprocess.run([sys.executable, "-c", "import pyatspi"], capture_output=True)
    if missing or probe.returncode != 0:
        print("skipped: needs", ", ".join(missing or ["python3-pyatspi"]))
        sys.exit(SKIP)
    home = tempfile.mkdtemp(prefix="vivograph-gui-")
    env = dict(os.environ,
               VG_GUI_INSIDE=home,
               HOME=home,
               XDG_CONFIG_HOME=home + "/config",
               XDG_DATA_HOME=home + "/data",
               XDG_CACHE_HOME=home + "/cache",
               XDG_STATE_HOME=home + "/state",
               GDK_BACKEND="x11",
               LIBGL_ALWAYS_SOFTWARE="1",
               GSK_RENDERER="cairo",
               GTK_THEME="",
               VIVOGRAPH_SAMPLE_RATE=str(RATE),
               G_DEBUG="fatal-criticals",
               LC_ALL="C.UTF-8",
               LANGUAGE="en",
               VIVOGRAPH_NO_TOUR="1",
               GIO_USE_VFS="local")
    del env["GTK_THEME"]
    for _ in range(TRIES):
        server, env["DISPLAY"] = start_display(screen)
        env["VG_GUI_SERVER"] = str(server.pid)
        status = subprocess.run(["timeout", stuck, "dbus-run-session", "--", sys.executable] +
                                sys.argv,
                                env=env).returncode
        gone = server.poll() is not None
        server.terminate()
        server.wait()
        if status == 0 or not gone:     # a failure without a display says nothing of the program
            break
    shutil.rmtree(home, ignore_errors=True)
    sys.exit(status)


def wait_for(what, condition):
    """The first true value of CONDITION, or a failed test."""
    end = time.monotonic() + LATE
    while True:
        begin = time.monotonic()
        try:
            value, error = condition(), None
        except AssertionError:
            raise
        except Exception as reason:    # what is looked at has gone, or is not complete: look again
            value, error = None, reason
        if value:
            return value
        assert time.monotonic() < end, "waited %g s in vain for %s%s" % (
            LATE, what, ": %r" % error if error else "")
        # to look costs the program as much as the test: not all of its time
        time.sleep(min(max(0.1, time.monotonic() - begin), 1))


def read(what, look):
    """What LOOK gives, also 0, once it can be looked at."""
    return wait_for(what, lambda: [look()])[0]


def steady(what, look, seconds=0.5, same=lambda a, b: a == b):
    """What LOOK gives, once it gives the same SECONDS later."""
    seen = []

    def again():
        if seen:
            time.sleep(seconds)
        seen.append(look())
        return len(seen) > 1 and same(seen[-2], seen[-1])

    wait_for(what + " to stay as it is", again)
    return seen[-1]


def ungroup(text):
    """TEXT with the figures of its numbers together."""
    return text.replace("\u202f", "")


def sh(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def pixels(x, y, width, height):
    """A part of the screen as bytes: red, green and blue of each pixel, row by row."""
    crop = "%dx%d+%d+%d" % (width, height, x, y)
    return subprocess.run(["import", "-window", "root", "-crop", crop, "+repage", "-depth", "8",
                           "rgb:-"], check=True, capture_output=True).stdout


def mean_color(rgb):
    """Red, green, blue from 0 to 1."""
    return [sum(rgb[channel::3]) / (85 * len(rgb)) for channel in range(3)]


def spread(values):
    """Standard deviation of bytes, from 0 to 1."""
    counts = collections.Counter(values)
    mean = sum(values) / len(values)
    return math.sqrt(sum(n * (v - mean)**2 for v, n in counts.items()) / len(values)) / 255


def write_tiff(path, width, height, pages, value):
    """16-bit little-endian TIFF; VALUE (page, x, y) gives the samples."""
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, 8))
        at = 8
        for page in range(pages):
            tags = [(256, 3, width), (257, 3, height), (258, 3, 16), (259, 3, 1), (262, 3, 1),
                    (273, 4, at + 6 + 12 * 8), (278, 3, height), (279, 4, width * height * 2)]
            ends = at + 6 + 12 * len(tags) + width * height * 2
            file.write(struct.pack("<H", len(tags)))
            for tag, kind, number in tags:
                file.write(struct.pack("<HHII", tag, kind, 1, number))
            file.write(struct.pack("<I", ends if page + 1 < pages else 0))
            file.write(
                struct.pack("<%dH" % (width * height),
                            *(value(page, x, y) for y in range(height) for x in range(width))))
            at = ends


def write_session(path, operation, **settings):
    with open(path, "w") as file:
        file.write("[session]\nversion=1\noperation=%s\n[%s parameters]\n" % (operation, operation))
        file.writelines("%s=%s\n" % item for item in settings.items())
    return path


class App:
    """The running window."""

    def __init__(self, program, *arguments):
        import pyatspi
        import vg_access
        self.atspi = pyatspi
        self.program = program
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([program, *arguments], stderr=self.errors)
        self.window = wait_for("the window", self._find_window)
        sh("xdotool", "windowfocus", "--sync", self.window)
        self.bus = vg_access.Bus()
        wait_for("the program on the accessibility bus", lambda: self.bus.find(self.process.pid))
        self.margin = 0
        # the largest of each is the main window, also where the program begins with a question
        frames = wait_for("the window on the accessibility bus",
                          lambda: list(self.bus.tree().children))
        widths = [
            int(
                sh("xdotool", "getwindowgeometry", "--shell", window).split("WIDTH=")[1].split()[0])
            for window in self._windows()
        ]
        self.margin = (max(widths) -
                       max(self.box(frame)[2]
                           for frame in frames)) // 2  # the shadow that GTK draws itself

    def _windows(self):
        assert self.process.poll() is None, "the program ended: " + self.stderr()
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid",
             str(self.process.pid)],
            capture_output=True,
            text=True)
        return found.stdout.split()

    def _find_window(self):
        return next(reversed(self._windows()), None)

    def stderr(self):
        self.errors.flush()
        self.errors.seek(0)
        return self.errors.read()

    def walk(self, node=None):
        """All below NODE, as it is now."""
        nodes = self.bus.tree().walk()
        if node is None:
            return nodes
        return next((other.walk() for other in nodes if other.path == node.path), iter(()))

    def find(self, role, name):
        for node in self.walk():
            if node.name == name and node.getRoleName() == role:
                return node
        return None

    def get(self, role, name):
        return wait_for("the %s \"%s\"" % (role, name), lambda: self.find(role, name))

    def box(self, node):
        """Place and size in the window, once it has been laid out: before, all is 0."""
        def laid_out():
            box = node.queryComponent().getExtents(self.atspi.WINDOW_COORDS)
            return box if box.width > 0 and box.height > 0 else None

        box = wait_for("the place of \"%s\"" % node.name, laid_out)
        return box.x + self.margin, box.y + self.margin, box.width, box.height

    def press(self, role, name):
        """Once it can be pressed."""
        wait_for("the %s \"%s\" to be pressed" % (role, name),
                 lambda: self.get(role, name).queryAction().doAction(0))
        time.sleep(0.2)

    def pause(self):
        """Stops the computation, unless it has ended by itself."""
        button = self.find("push button", "Pause")
        if button:
            button.queryAction().doAction(0)
        self.get("push button", "Run")

    def choose_tool(self, name):
        """A drag that comes before the tool is chosen would move the image."""
        self.press("push button", name)
        wait_for(name, lambda: self.get("push button", name).getState().contains(
            self.atspi.STATE_PRESSED))

    def click(self, node):
        x, y, width, height = self.box(node)
        sh("xdotool", "mousemove", str(x + width // 2), str(y + height // 2), "click", "1")
        time.sleep(0.2)

    def tooltip(self):
        """The text of the visible tooltip, or nothing; in GTK 4.8 a tooltip has no role of its
        own."""
        tips = [
            node for node in self.walk()
            if node.getRoleName() == "tool tip" or node.name == "GtkTooltipWindow"
        ]
        return " ".join(text for tip in tips for text in self.labels(tip))

    def hover(self, node):
        """Moves the pointer to NODE.  The first move only ends the previous tooltip, the next one
        opens another.  On a busy machine NODE's own tooltip may be open before anyone looks, so
        this waits until the tooltip is another one or has gone."""
        before = self.tooltip()
        x, y, width, height = self.box(node)
        sh("xdotool", "mousemove", str(x + width // 2), str(y + height // 2))
        if before:
            wait_for("the previous tooltip to end", lambda: self.tooltip() != before)
        sh("xdotool", "mousemove_relative", "1", "0")

    def keys(self, *keys):
        for key in keys:
            sh("xdotool", "key", key)
            time.sleep(0.15)

    def type(self, text):
        sh("xdotool", "type", "--delay", "5", text)
        time.sleep(0.3)

    def drag(self, x0, y0, x1, y1):
        sh("xdotool", "mousemove", str(x0), str(y0), "mousedown", "1", "mousemove",
           str((x0 + x1) // 2), str((y0 + y1) // 2), "mousemove", str(x1), str(y1), "mouseup", "1")
        time.sleep(0.3)

    def value(self, role, name):
        return read("the value of \"%s\"" % name,
                    lambda: self.get(role, name).queryValue().currentValue)

    def set_value(self, role, name, value):
        def is_set():
            self.get(role, name).queryValue().currentValue = value
            return True

        wait_for("\"%s\" to be set" % name, is_set)

    def chosen(self, name):
        """What the drop-down with this name shows."""
        def shown():
            box = self.get("combo box", name)
            button = next(node for node in self.walk(box) if node.getRoleName() == "push button")
            return self.labels(button)[-1]

        return read("what \"%s\" shows" % name, shown)

    def shown_map(self):
        """With its unit."""
        return self.chosen("Map")

    def pick(self, name, item):
        """Chooses an item of the drop-down with this name."""
        box = self.get("combo box", name)
        self.click(box)

        def items():
            lists = [node for node in self.walk(box) if node.getRoleName() == "list item"]
            return [" ".join(self.labels(node)) for node in lists]

        texts = wait_for("%s in the list of %s" % (item, name),
                         lambda: [texts for texts in [items()] if item in texts])[0]
        self.keys("Home", *["Down"] * texts.index(item), "Return")

    def pages(self):
        """The pages of plots in sight, by their drop-downs."""
        found = []
        for node in self.walk():
            if node.getRoleName() == "push button" and node.name in ("Plot", "Second plot"):
                size = node.queryComponent().getExtents(self.atspi.WINDOW_COORDS)
                found += self.labels(node)[-1:] if size.width > 0 else []
        return found

    def show_page(self, name):
        """Brings a page of plots in sight."""
        if name not in wait_for("the plots", self.pages):
            self.pick("Plot", name)
        wait_for("the page " + name, lambda: name in self.pages())

    def follow_focus(self):
        """From now on, events add role and name of controls that get the focus to `focused`."""
        self.focused = []

        def on_focus(event):
            role, name = event.source.getRoleName(), event.source.name
            if event.detail1 and role not in ("frame", "window"):
                self.focused.append((role, name))

        self.atspi.Registry.registerEventListener(on_focus, "object:state-changed:focused")

    def pump(self, seconds):
        """Lets events arrive."""
        from gi.repository import GLib
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not GLib.MainContext.default().iteration(False):
                time.sleep(0.01)

    def labels(self, node=None):
        return [child.name for child in self.walk(node) if child.getRoleName() == "label"]

    def has_label(self, part):
        """A label with PART in it, whose numbers may be grouped."""
        return next((text for text in self.labels() if part in text or part in ungroup(text)),
                    None)

    def has_card(self):
        return any(node.name == "Values" and node.getState().contains(self.atspi.STATE_VISIBLE)
                   for node in self.walk())

    def close_card(self):
        """Closes the card of a pixel, which lies over the picture, once it is there."""
        wait_for("a card", self.has_card)
        self.keys("Escape")
        wait_for("no card", lambda: not self.has_card())

    def colors(self, node, margin=12):
        """(mean, standard deviation) of red, green, blue inside a widget."""
        def look():
            x, y, width, height = self.box(node)
            rgb = pixels(x + margin, y + margin, width - 2 * margin, height - 2 * margin)
            return mean_color(rgb) + [spread(rgb[::3])]

        return read("the colours of \"%s\"" % node.name, look)

    def still(self, node, seconds=0.5):
        """Its colours, once they stay as they are."""
        return steady("\"%s\"" % node.name, lambda: self.colors(node), seconds,
                      lambda a, b: max(abs(p - q) for p, q in zip(a, b)) < 1e-4)

    def wait_for_dialog(self):
        """One that has the keyboard."""
        def focused():
            found = subprocess.run(["xdotool", "getwindowfocus"], capture_output=True,
                                   text=True).stdout.strip()
            return found != self.window and found in self._windows()

        wait_for("a dialog", focused)
        time.sleep(0.5)

    def wait_for_main_window(self):
        """The dialogs have gone, and the main window has the keyboard."""
        wait_for("the end of the dialogs", lambda: self._windows() == [self.window])
        sh("xdotool", "windowfocus", "--sync", self.window)

    def dialog_path(self, path):
        """Types a path into the open file dialog and accepts it."""
        self.wait_for_dialog()
        self.keys("ctrl+a", "BackSpace")
        self.type(path)
        self.keys("Return")

    def close(self):
        sh("xdotool", "windowfocus", "--sync", self.window)
        self.keys("ctrl+q")
        wait_for("the end of the program", lambda: self.process.poll() is not None)
        status = self.process.returncode
        text = self.stderr()
        assert status == 0, "exit status %d: %s" % (status, text)
        bad = [line for line in text.splitlines() if "WARNING" in line or "CRITICAL" in line]
        assert not bad, "messages on stderr: " + "; ".join(bad)


def describe(program):
    """The first operation, as the program describes it."""
    return json.loads(sh(program, "describe", "--format", "json"))[0]


def run(*tests):
    """Runs the tests in order, each with the path of the program."""
    program = os.path.abspath(sys.argv[1])
    for test in tests:
        start = time.monotonic()
        try:
            test(program)
        except BaseException:
            picture = os.path.join(os.environ.get("MESON_BUILD_ROOT", tempfile.gettempdir()),
                                   "gui-failure-%s.png" % test.__name__)
            subprocess.run(["import", "-window", "root", picture])
            raise
        print("ok %s (%.1f s)" % (test.__name__, time.monotonic() - start), flush=True)
