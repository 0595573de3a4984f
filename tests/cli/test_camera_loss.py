# SPDX-License-Identifier: MIT
"""Every frame of a camera is counted, even if packets and whole frames are lost.  A setting whose
answers are lost is written again.

    test_camera_loss.py PROGRAM LIBRARY [PACKETS WHOLE FRAMES WIDTH HEIGHT RATE]

LIBRARY makes the simulated camera of Aravis lose packets (tests/support/lossy-camera.c explains
PACKETS, WHOLE and FRAMES).  Camera and program are alone on a network of their own."""
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

SKIP, LATE, TRIES = 77, 180, 3
CAMERA = "arv-fake-gv-camera-0.8"
ANSWERS = "8"    # more than those after which Aravis gives up
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1
# Frames 15, 30, ... are lost whole.  Among them is frame 135 with the camera's number 65535, after
# which the numbers begin again at 1.  The last frame, 202, loses no packet.
USUAL = ["5000", "15", "202", "256", "192", "50"]


def skip(why):
    print("skipped:", why)
    sys.exit(SKIP)


def enter():
    """Runs this script again on a network that has no other computers and no other cameras."""
    if os.environ.get("VG_ALONE"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            name = b"lo".ljust(16, b"\0")
            flags, = struct.unpack("16xh", fcntl.ioctl(any_socket, GET_FLAGS, name + bytes(2)))
            fcntl.ioctl(any_socket, SET_FLAGS, name + struct.pack("h", flags | UP))
        return
    if not shutil.which(CAMERA) or not shutil.which("unshare"):
        skip(CAMERA + " or unshare is not installed")
    if subprocess.run(["unshare", "-rn", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("a network of its own is not allowed here")
    os.environ["VG_ALONE"] = "1"
    os.execvp("unshare", ["unshare", "-rn", sys.executable] + sys.argv)


def wait_for(what, condition):
    end = time.monotonic() + LATE
    while not condition():
        assert time.monotonic() < end, "waited in vain for " + what
        time.sleep(0.1)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def record(folder, program, library, packets, whole, frames, width, height, rate):
    """What the program said, or None if it was too slow to keep the camera."""
    log, said, errors = (os.path.join(folder, name) for name in ("log", "said", "errors"))
    lossy = dict(os.environ, LD_PRELOAD=library, VG_LOSSY_PACKETS=packets, VG_LOSSY_WHOLE=whole,
                 VG_LOSSY_FRAMES=frames, VG_LOSSY_LOG=log, VG_LOSSY_ANSWERS=ANSWERS)
    camera = subprocess.Popen([CAMERA, "-i", "127.0.0.1", "-s", "VGLOSS"], env=lossy,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run = None
    try:
        # The camera needs a moment before it answers.
        wait_for("the camera", lambda: "VGLOSS" in subprocess.run(
            [program, "devices"], capture_output=True, text=True).stdout)
        with open(said, "w") as output, open(errors, "w") as warnings:
            run = subprocess.Popen(
                [program, "record", "camera:Aravis-VGLOSS", "--camera-set",
                 f"Region=0,0,{width},{height} PixelFormat=Mono16 FrameRate={rate}",
                 "--out", os.path.join(folder, "run.tif")], stdout=output, stderr=warnings)
        begin = time.monotonic()
        while "sent no frame for 5 s" not in read(errors):
            if "does not respond" in read(errors):
                return None
            assert run.poll() is None, read(errors)
            assert time.monotonic() < begin + int(frames) / float(rate) + LATE, read(errors)
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        assert run.wait(LATE) == 0, read(errors)
        return read(said)
    finally:
        for process in (run, camera):
            if process:
                process.kill()
                process.wait()


def check(folder, said, frames):
    sent = [tuple(map(int, line.split())) for line in read(os.path.join(folder, "log")).split("\n")
            if line]
    clean = {i for i, (_, packets, lost) in enumerate(sent) if lost == 0}
    whole = [i for i, (_, packets, lost) in enumerate(sent) if lost == packets]
    received, bad, lost = map(int, re.search(
        r"= (\d+) received \+ (\d+) bad \+ (\d+) lost", said).groups())
    with open(os.path.join(folder, "run.tif"), "rb") as file:
        kept = [int(number) for number in
                re.findall(rb'"recorded_by": "Vivograph", "frame": (\d+)', file.read())]
    print(f"{len(sent)} frames sent, of which {len(whole)} lost whole and"
          f" {len(sent) - len(clean) - len(whole)} in part = {received} received + {bad} bad +"
          f" {lost} lost")
    assert len(sent) == frames
    assert received == len(kept) == len(set(kept))
    # A busy machine may lose more, but no frame that is damaged has the number of a whole one.
    assert set(kept) <= clean
    # A loss is noticed by the frames that come after it.  So all frames up to the last one that was
    # kept are counted, and it is near the end.
    assert max(kept) + 1 <= received + bad + lost <= frames
    assert max(kept) >= frames * 9 // 10
    assert lost >= sum(i < max(kept) for i in whole)


enter()
program, library, *how = sys.argv[1:]
how = how or USUAL
for _ in range(TRIES):
    with tempfile.TemporaryDirectory() as place:
        told = record(place, program, library, *how)
        if told:
            check(place, told, int(how[2]))
            sys.exit(0)
skip("this machine is too slow to keep a camera")
