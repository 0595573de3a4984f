# SPDX-License-Identifier: MIT
"""What the window tells assistive tools, read over D-Bus: all controls at
once.  (pyatspi asks two or three times for each of hundreds of controls, and
each answer waits for a picture to be painted.)  A node has pyatspi's names
for what the tests use of it."""
import ast
import re
import time
from gi.repository import Atspi, Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi."
VISIBLE = int(Atspi.StateType.VISIBLE)
LATE_MS = 180000    # after which a missing answer means a fault, not a slow machine

# One item of the cache as GLib prints it: its path, that of its parent, its index there, how many
# children it has, its name, role and description, and both words of its states.  This reads all
# items ten times quicker than GLib.Variant.unpack.
WORD = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
ITEM = re.compile(r"\(\(W, (W)\), \(W, W\), \(W, (W)\), (-?\d+), (-?\d+), \[[^]]*\], "
                  r"(W), (\d+), (W), \[(\d+), (\d+)\]\)".replace("W", WORD))


class States:
    def __init__(self, words):
        self.words = words

    def contains(self, state):
        state = int(state)
        return bool(self.words[state // 32] >> state % 32 & 1)


class Extents:
    def __init__(self, x, y, width, height):
        self.x, self.y, self.width, self.height = x, y, width, height


class Node:
    """A control.  Its members are from the time at which the tree was read; its methods return
    present values."""

    def __init__(self, bus, path, parent=None, name="", role="", description="", states=(0, 0)):
        self.bus, self.path, self.parent = bus, path, parent
        self.name, self.role, self.description = name, role, description
        self.states = States(states)
        self.children = []

    def getRoleName(self):
        return self.role

    def getState(self):
        return States(self.bus.call(self.path, "Accessible", "GetState")[0])

    def clear_cache(self):
        """The name as it is now."""
        self.name = self.bus.get(self.path, "Accessible", "Name")

    def walk(self):
        for child in self.children:
            yield child
            yield from child.walk()

    # the interfaces, each a view of the node
    def queryAction(self):
        return self

    queryComponent = queryText = queryAction

    def queryValue(self):
        return Value(self)

    def doAction(self, i):
        return self.bus.call(self.path, "Action", "DoAction", GLib.Variant("(i)", (i,)))[0]

    def getExtents(self, coordinates):
        return Extents(*self.bus.call(self.path, "Component", "GetExtents",
                                      GLib.Variant("(u)", (int(coordinates),)))[0])

    @property
    def characterCount(self):
        return self.bus.get(self.path, "Text", "CharacterCount")

    @property
    def caretOffset(self):
        return self.bus.get(self.path, "Text", "CaretOffset")

    def getText(self, start, end):
        return self.bus.call(self.path, "Text", "GetText", GLib.Variant("(ii)", (start, end)))[0]


class Value:
    def __init__(self, node):
        self.node = node

    @property
    def currentValue(self):
        return self.node.bus.get(self.node.path, "Value", "CurrentValue")

    @currentValue.setter
    def currentValue(self, value):
        self.node.bus.set(self.node.path, "Value", "CurrentValue", GLib.Variant("d", value))


class Bus:
    """The accessibility bus, and a program on it."""

    def __init__(self):
        self.looked = 0.0  # when the last thorough look was
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
                                    None, None, 0, -1, None).unpack()[0]
        flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                 | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.name = None

    def answer(self, name, path, interface, method, arguments=None):
        try:
            return self.connection.call_sync(name, path, interface, method, arguments, None, 0,
                                             LATE_MS, None)
        except GLib.Error as error:
            gone = error.matches(Gio.DBusError.quark(), Gio.DBusError.SERVICE_UNKNOWN)
            assert not gone or name != self.name, "the program has ended"
            raise

    def ask(self, name, path, interface, method, arguments=None):
        return self.answer(name, path, interface, method, arguments).unpack()

    def find(self, pid):
        """Whether the program is there by now."""
        for name, _ in self.ask("org.a11y.atspi.Registry", ROOT, ACCESSIBLE + "Accessible",
                                "GetChildren")[0]:
            of = self.ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                          "GetConnectionUnixProcessID", GLib.Variant("(s)", (name, )))[0]
            if of == pid:
                self.name = name
        return self.name is not None

    def call(self, path, interface, method, arguments=None):
        return self.ask(self.name, path, ACCESSIBLE + interface, method, arguments)

    def get(self, path, interface, name):
        return self.ask(self.name, path, "org.freedesktop.DBus.Properties", "Get",
                        GLib.Variant("(ss)", (ACCESSIBLE + interface, name)))[0]

    def set(self, path, interface, name, value):
        self.ask(self.name, path, "org.freedesktop.DBus.Properties", "Set",
                 GLib.Variant("(ssv)", (ACCESSIBLE + interface, name, value)))

    def items(self):
        """By path, and the paths of each one's children in order."""
        items, children = {}, {}
        answer = self.answer(self.name, "/org/a11y/atspi/cache", ACCESSIBLE + "Cache", "GetItems")
        rows = ITEM.findall(answer.print_(False))
        assert len(rows) == answer.get_child_value(0).n_children(), "an item is not understood"
        for row in rows:
            path, parent, name, description = (
                word[1:-1] if "\\" not in word else ast.literal_eval(word)
                for word in (row[0], row[1], row[4], row[6]))
            index, count, role, *states = (int(row[i]) for i in (2, 3, 5, 7, 8))
            items[path] = (count, name, role, description, states)
            if states[VISIBLE // 32] >> VISIBLE % 32 & 1:
                children.setdefault(parent, []).append((index, path))
        return items, {
            path: [child for _, child in sorted(found)]
            for path, found in children.items()
        }

    def ask_each(self, paths, method):
        """The answer of each, or an error, by path.  All are asked at once, because a program that
        computes gives an answer only after each picture."""
        found, context = {}, GLib.MainContext.new()

        def on_answer(connection, result, path):
            try:
                found[path] = connection.call_finish(result).unpack()[0]
            except GLib.Error as error:
                found[path] = error

        context.push_thread_default()
        try:
            for path in paths:
                self.connection.call(self.name, path, ACCESSIBLE + "Accessible", method,
                                     None, None, 0, LATE_MS, None, on_answer, path)
            while len(found) < len(paths):
                context.iteration(True)
        finally:
            context.pop_thread_default()
        return found

    def ask_children(self, paths):
        """The paths of each one's children, or an error, by path."""
        return {
            path: answer if isinstance(answer, GLib.Error) else [child for _, child in answer]
            for path, answer in self.ask_each(paths, "GetChildren").items()
        }

    def request(self, paths):
        """From now on the program lists what is visible at and below PATHS."""
        while paths:
            states = self.ask_each(paths, "GetState")
            found = self.ask_children([
                path for path, words in states.items()
                if not isinstance(words, GLib.Error) and States(words).contains(VISIBLE)
            ])
            paths = [
                child for children in found.values() if not isinstance(children, GLib.Error)
                for child in children
            ]

    def tree(self):
        """The root of all nodes.  The program lists only nodes that were requested before, so the
        others are requested until all are listed.  If a new child takes the place of one that was
        hidden, only a thorough look finds it, which takes longer."""
        late = thorough = time.monotonic() - self.looked > 3
        while True:
            items, children = self.items()
            children.update(self.ask_children([
                path for path, (count, _, _, _, states) in items.items()
                if path == ROOT or States(states).contains(VISIBLE) and
                (thorough and count != 0 or len(children.get(path, [])) != count)
            ]))
            missing = []
            try:
                root = self.grow(ROOT, None, items, children, missing)
            except GLib.Error as error:  # of a node that has gone meanwhile: look again
                if not error.matches(Gio.DBusError.quark(), Gio.DBusError.UNKNOWN_METHOD):
                    raise
                continue
            if not missing:
                self.looked = time.monotonic() if late else self.looked
                return root
            self.request(missing)
            thorough = False    # what the look has found is listed now

    def grow(self, path, parent, items, children, missing):
        _, name, role, description, states = items[path]
        node = Node(self, path, parent, name, Atspi.role_get_name(Atspi.Role(role)), description,
                    states)
        below = children.get(path, [])
        if isinstance(below, GLib.Error):
            raise below
        for child in below:
            if child in items:
                node.children.append(self.grow(child, node, items, children, missing))
            else:
                missing.append(child)
        return node
