# SPDX-License-Identifier: MIT
"""The shown map is sent to a program that connects, and a line is followed over time."""
import os
import random
import socket
import struct
import vg_gui
from test_finder import find
from test_read_options import picture

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")


def free_port():
    """A free port below the ephemeral ports, which the system may give to others meanwhile."""
    def found():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", random.randrange(10000, 32768)))
            return probe.getsockname()[1]

    return vg_gui.wait_for("a free port", found)


def read(peer, size):
    data = b""
    while len(data) < size:
        part = peer.recv(size - len(data))
        assert part, "the connection was closed"
        data += part
    return data


def message(peer):
    """Type, device and body of the next message."""
    _, kind, device, _, size, _ = struct.unpack(">H12s20sQQQ", read(peer, 58))
    return kind.rstrip(b"\0").decode(), device.rstrip(b"\0").decode(), read(peer, size)


def open_flow(program):
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.01)
    return app


def shown(app):
    return next((node for node in app.bus.tree().children if node.name == "Send Maps"), None)


def dialog_closes(program):
    """By its keys, also without a window manager."""
    app = open_flow(program)
    for keys in ("Escape", "ctrl+w"):
        find(app, "send maps", "Send Maps\u2026")
        vg_gui.wait_for("the dialog", lambda: shown(app))
        app.wait_for_dialog()
        app.keys(keys)
        vg_gui.wait_for("its end", lambda: not shown(app))
    app.close()


def map_is_sent(program):
    app = open_flow(program)
    port = free_port()
    find(app, "send maps", "Send Maps\u2026")
    app.wait_for_dialog()
    app.keys("ctrl+a")
    app.type("shm:nothing")
    app.keys("Return")
    vg_gui.wait_for("the reason", lambda: app.has_label("is not an address of OpenIGTLink"))
    app.keys("ctrl+a")
    app.type("igtl-listen://%d" % port)
    app.keys("Return")
    vg_gui.wait_for("that it waits", lambda: app.has_label("Waiting for a program to connect"))
    with socket.create_connection(("127.0.0.1", port), timeout=vg_gui.LATE) as peer:
        kind, device, body = message(peer)
        assert (kind, device) == ("STRING", "Settings") and b'"flow"' in body, (kind, device)
        kind, device, body = message(peer)
        width, height = struct.unpack(">HH", body[6:10])
        assert kind == "IMAGE" and len(body) == 72 + 4 * width * height, (kind, len(body))
        vg_gui.wait_for("that it is sent", lambda: app.has_label("Sending to 1 program"))
        app.press("push button", "Stop Sending")
        vg_gui.wait_for("the end", lambda: not app.has_label("Sending to 1 program"))
        while peer.recv(1 << 16):
            pass
    app.close()


def line_over_time(program):
    app = open_flow(program)
    app.show_page("Profile")
    assert not app.find("image", "Kymograph")
    app.choose_tool("Ruler tool")
    x, y, width, height = app.box(picture(app))
    app.drag(x + width // 4, y + height // 2, x + 3 * width // 4, y + height // 2)
    app.press("check box", "Over time")
    vg_gui.wait_for("the kymograph", lambda: app.has_label("Time downwards"))
    vg_gui.wait_for("its picture", lambda: app.colors(app.get("image", "Kymograph"))[3] > 0.01)
    for name, begin in (("kymograph.csv", b"frame,time_s,diameter"), ("kymograph.PNG", b"\x89PNG")):
        path = HOME + "/" + name
        app.press("push button", "Save the kymograph as a table (.csv) or an image (.png)")
        app.dialog_path(path)
        vg_gui.wait_for(name, lambda: os.path.exists(path))
        with open(path, "rb") as file:
            assert file.read().startswith(begin), name
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(dialog_closes, map_is_sent, line_over_time)
