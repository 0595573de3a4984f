#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sends moving stripes to Vivograph through shared memory (docs/live.md):
    examples/shm_producer.py NAME [FRAMES] [FRAMES_PER_SECOND] &
    vivograph run flow shm:NAME --out maps"""
import mmap
import os
import struct
import sys
import time

NAME = sys.argv[1]
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
RATE = float(sys.argv[3]) if len(sys.argv) > 3 else 100
WIDTH, HEIGHT, SLOTS, HEADER, HEAD, U16 = 320, 240, 16, 128, 64, 1
FRAME = 2 * WIDTH * HEIGHT
STRIDE = HEAD + (FRAME + 63) // 64 * 64
PATH = "/dev/shm/" + NAME

if os.path.exists(PATH):
    os.unlink(PATH)  # a reader of the old object finds the new one
fd = os.open(PATH, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
os.ftruncate(fd, HEADER + SLOTS * STRIDE)
ring = mmap.mmap(fd, HEADER + SLOTS * STRIDE)
struct.pack_into("=6I2Q3d2QI", ring, 8, HEADER, U16, WIDTH, HEIGHT, 1, 12, SLOTS, STRIDE,
                 1 / RATE, 0, 0, os.getpid(), 0, 1)
ring[:8] = b"VGRING01"  # last: the header is complete
line = struct.pack(f"={2 * WIDTH}H", *((40 * x) % 4096 for x in range(2 * WIDTH)))
start = time.monotonic()
for k in range(FRAMES):
    time.sleep(max(0, start + k / RATE - time.monotonic()))
    at = HEADER + k % SLOTS * STRIDE
    struct.pack_into("=Q", ring, at, 2 * k + 1)  # the slot is being written
    ring[at + HEAD:at + HEAD + FRAME] = line[2 * (k % WIDTH):][:2 * WIDTH] * HEIGHT
    struct.pack_into("=QQqq", ring, at, 2 * k + 1, k, time.monotonic_ns(), time.time_ns())
    struct.pack_into("=Q", ring, at, 2 * k + 2)  # the slot is complete
    struct.pack_into("=Q", ring, 80, k + 1)  # the number of complete frames
struct.pack_into("=I", ring, 88, 2)  # the end
os.unlink(PATH)
