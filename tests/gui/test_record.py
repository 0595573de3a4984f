# SPDX-License-Identifier: MIT
"""A pipe of numbered frames is recorded while views are switched, until it ends: the file,
the window and the sender agree on every frame.  A recording that a crash has broken off is
offered at the next start.  With VIVOGRAPH_RECORD_FULL set, frames of 1392x1040 at up to 50
a second are recorded through 20 switches in the folder that it names."""
import os
import re
import signal
import struct
import threading
import time
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
FULL = os.environ.get("VIVOGRAPH_RECORD_FULL")
WIDTH, HEIGHT, RATE = (1392, 1040, 50) if FULL else (64, 48, 20)
SWITCHES = 20 if FULL else 4
FOLDER = FULL or HOME
VIEWS = ("Perfusion", "Flow")      # one that is soon done, and that of the pipe
STACK = HOME + "/stack.tif"


class Sender(threading.Thread):
    """Frame k holds the number k in its first two samples."""

    def __init__(self, out):
        super().__init__(daemon=True)  # a failed test ends, though the program still takes frames
        self.out, self.sent, self.stopping = out, 0, threading.Event()
        size = WIDTH * HEIGHT * 2
        self.rest = bytes(os.urandom(4096) * (size // 4096 + 1))[:size - 4]

    def run(self):
        due = time.monotonic()
        try:
            while not self.stopping.is_set():
                self.out.write(struct.pack("<HH", self.sent & 65535, self.sent >> 16) + self.rest)
                self.out.flush()
                self.sent += 1
                due += 1 / RATE
                time.sleep(max(due - time.monotonic(), 0))
            self.out.close()
        except BrokenPipeError:
            pass


def pages(path):
    """The first two samples and the frame number of each page of a recording."""
    found = []
    with open(path, "rb") as file:
        at = struct.unpack("<Q", file.read(16)[8:])[0]
        while at:
            file.seek(at)
            count = struct.unpack("<Q", file.read(8))[0]
            entries = [struct.unpack("<HHQQ", file.read(20)) for _ in range(count)]
            link = struct.unpack("<Q", file.read(8))[0]
            tags = {tag: (n, value) for tag, _, n, value in entries}
            file.seek(tags[273][1])
            low, high = struct.unpack("<HH", file.read(4))
            file.seek(tags[270][1])
            number = int(re.search(rb'"frame": (\d+)', file.read(tags[270][0])).group(1))
            found.append((low | high << 16, number))
            at = link
    return found


def start(program):
    """The window with a pipe, and what sends into it."""
    read, write = os.pipe()
    saved = os.dup(0)
    os.dup2(read, 0)      # the program reads its standard input
    os.close(read)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", "--geometry",
                     "%dx%d:u16" % (WIDTH, HEIGHT), "-")
    os.dup2(saved, 0)
    os.close(saved)
    sender = Sender(os.fdopen(write, "wb", buffering=0))
    sender.start()
    app.click(app.get("push button", "Performance"))
    vg_gui.wait_for("frames", lambda: line(app, r"[1-9]\d* frames? sent"))
    app.keys("Escape")
    return app, sender


def line(app, pattern):
    """The first label or message that fits."""
    texts = (node.name for node in app.walk() if node.getRoleName() in ("label", "alert"))
    return next((found for found in (re.search(pattern, text) for text in texts) if found), None)


def button(app, view):
    return vg_gui.wait_for(
        view, lambda: next((node for node in app.walk()
                            if node.name == view and node.getRoleName().endswith("button")), None))


def begin(app, path):
    """Starts a recording, which moves no button under the pointer of the user."""
    before = vg_gui.steady("the transport", lambda: app.box(button(app, "Mark")))
    app.keys("ctrl+r")
    app.dialog_path(path)
    kept = grown(app, 0)
    assert vg_gui.steady("the transport", lambda: app.box(button(app, "Mark"))) == before
    return kept


def grown(app, before):
    """How many frames are recorded, once they are five more than BEFORE."""
    def kept():
        found = line(app, r"Recording .* · (\d+) frames .* free")
        return found and int(found.group(1)) >= before + 5 and int(found.group(1))

    return vg_gui.wait_for("the recording to go on", kept)


def end(app, sender):
    """The number of frames recorded and of those not written, as the window says by itself."""
    sender.stopping.set()
    sender.join()
    told = vg_gui.wait_for("what was recorded",
                           lambda: line(app, r"Recorded (\d+) frames in [^;]*; (.*)"))
    missing = re.search(r"^(\d+) frames? (?:was|were) not written because the disk was too slow",
                        told.group(2))
    assert missing or told.group(2) == "no frame is missing", told.group(0)
    return int(told.group(1)), int(missing.group(1)) if missing else 0


def check_counts(app, sender):
    """The stream's end is told, and every frame that was sent is accounted for."""
    vg_gui.wait_for("the end", lambda: line(app, "^Ended$"))
    app.click(app.get("push button", "Performance"))
    told = vg_gui.wait_for(
        "all frames", lambda: line(
            app,
            r"(\d+) frames sent = (\d+) shown \+ (\d+) superseded \+ (\d+) bad \+ "
            r"(\d+) lost \+ 0 waiting"))
    received, *fates = (int(text) for text in told.groups())
    assert received == sender.sent == sum(fates), (told.group(0), sender.sent)
    app.keys("Escape")


def check_file(path, sender, kept, dropped):
    """Every frame from the recording's first to the last that was sent is in the file or was
    reported as dropped."""
    found = pages(path)
    assert len(found) == kept, (len(found), kept)
    assert all(sample == number for sample, number in found)
    first = found[0][1]
    assert kept + dropped == sender.sent - first, (kept, dropped, first, sender.sent)
    assert not os.path.exists(path.replace(".tif", ".part.tif"))
    return first


def recorded_while_switching(program):
    path = FOLDER + "/recorded.tif"
    app, sender = start(program)
    seen = begin(app, path)
    begun = time.monotonic()
    buttons = [button(app, view) for view in VIEWS]
    for i in range(SWITCHES):
        buttons[i % 2].doAction(0)
        seen = grown(app, seen)
    took = time.monotonic() - begun
    kept, dropped = end(app, sender)
    check_counts(app, sender)
    first = check_file(path, sender, kept, dropped)
    assert dropped == 0 or FULL
    print("sent %d, recorded %d from number %d on, not written %d; %d switches in %.1f s" % (
        sender.sent, kept, first, dropped, SWITCHES, took), flush=True)
    app.close()
    os.unlink(path)


def ended_in_another_view(program):
    """The recording is finished and said there; the end is told where the stream is."""
    path = HOME + "/elsewhere.tif"
    app, sender = start(program)
    seen = begin(app, path)
    button(app, VIEWS[0]).doAction(0)
    grown(app, seen)
    kept, dropped = end(app, sender)
    assert dropped == 0
    check_file(path, sender, kept, dropped)
    vg_gui.wait_for("no recording", lambda: not line(app, "^Recording "))
    button(app, VIEWS[1]).doAction(0)
    check_counts(app, sender)
    app.close()


def broken_off(program):
    """Killed while it records: offered at the next start, and kept."""
    path, part = HOME + "/broken.tif", HOME + "/broken.part.tif"
    vg_gui.write_tiff(STACK, 32, 32, 4, lambda page, x, y: 1000 + (7 * x + 13 * y + 5 * page) % 64)
    app, sender = start(program)
    begin(app, path)
    app.process.send_signal(signal.SIGKILL)
    app.process.wait()
    sender.stopping.set()
    sender.join()
    assert os.path.exists(part) and not os.path.exists(path)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", STACK)
    told = vg_gui.wait_for(
        "the offer", lambda: line(
            app,
            r'A recording was interrupted on .*\. ".*broken\.part\.tif" '
            r'contains (\d+) whole frames\.'))
    found = pages(part)
    assert len(found) == int(told.group(1)) >= 5
    assert all(sample == number for sample, number in found)
    app.press("push button", "Keep Recording")
    vg_gui.wait_for("the answer", lambda: line(app, 'Saved the recording as "' + re.escape(path)))
    assert os.path.exists(path) and not os.path.exists(part)
    app.keys("ctrl+o")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.has_label(" of %d" % len(found)))
    app.close()
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", STACK)
    vg_gui.wait_for("its file", lambda: app.has_label(" of 4"))
    assert not line(app, "was interrupted")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(*([recorded_while_switching]
                 if FULL else [recorded_while_switching, ended_in_another_view, broken_off]))
