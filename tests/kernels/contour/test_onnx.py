# SPDX-License-Identifier: MIT
"""The network as ONNX has the weights of the program's own file, bit for bit, and gives what
PyTorch does, to which test-contour-network holds the program.

test_onnx.py FOLDER_OF_MODELS REFERENCE
"""
import struct
import sys

try:
    import numpy as np
    import onnx
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE = 1e-3


def own_values(path):
    """All values of a weights file, whose format training/contour/export.py describes."""
    data = open(path, "rb").read()
    layers = struct.unpack_from("<I", data, 12)[0]
    head = 16 + 32 * layers
    return np.frombuffer(data[head:-32], "<f2")


def onnx_values(path):
    arrays = [onnx.numpy_helper.to_array(value) for value in onnx.load(path).graph.initializer]
    return np.concatenate([array.ravel() for array in arrays if array.dtype == np.float16])


def reference(path):
    data = open(path, "rb").read()
    width, height = struct.unpack_from("<2I", data)
    shape, n = (1, 3, height, width), 3 * width * height
    image = np.frombuffer(data, np.uint8, n, 8).reshape(shape).astype(np.float32) / 255
    return image, np.frombuffer(data, "<f4", n, 8 + n).reshape(shape)


def main(folder, path):
    own, other = own_values(f"{folder}/contour-nuclei.vgnet"), onnx_values(
        f"{folder}/contour-nuclei.onnx")
    assert len(own) > 1_000_000 and np.array_equal(own, other), "the weights differ"
    session = onnxruntime.InferenceSession(f"{folder}/contour-nuclei.onnx",
                                           providers=["CPUExecutionProvider"])
    image, expected = reference(path)
    found = session.run(None, {"image": image})[0]
    worst = np.abs(found - expected).max()
    print(f"largest difference {worst:.2g}")
    assert worst < TOLERANCE
    # other sizes, and several pictures
    wide = session.run(None, {"image": np.zeros((2, 3, 32, 48), np.float32)})[0]
    assert wide.shape == (2, 3, 32, 48)


main(*sys.argv[1:])
