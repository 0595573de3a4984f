# SPDX-License-Identifier: MIT
"""Writes the weights for the program:
export.py NET.pt|WEIGHTS [--weights FILE] [--onnx FILE] [--reference FILE]

The weights file, little-endian: 8 bytes "VGNET\\r\\n\\0"; version, number of layers (32 bits each);
for each layer its name (16 bytes, padded with 0), inputs, outputs, side of the kernel, and offset
in values (32 bits each); then 16-bit floats, for each layer weights
[output][input][row][column] and biases [output]; then the SHA-256 of all that.

The reference file, for the test: width, height (32 bits each), the input as bytes (3 planes), and
the three outputs as 32-bit floats, computed by PyTorch with these weights.
"""
import argparse
import hashlib
import struct

import numpy as np
import onnx
import torch

import made
import net

MAGIC, VERSION = b"VGNET\r\n\0", 1
ABOUT = """Nuclei in stained tissue and fluorescence.
image: n x 3 x h x w, 0 (background) to 1: 1 - RGB, or three times a grey plane with bright nuclei;
h and w are multiples of 16.  maps: probability of a nucleus, probability of the border between two
that touch, distance from the border."""


def halves(network):
    """The same network with its normalisation folded in and each value as a 16-bit float."""
    return [(name, w.half(), b.half()) for name, w, b in net.layers(network)]


def write_weights(path, layers):
    head, values = b"", []
    offset = 0
    for name, weight, bias in layers:
        outputs, inputs, side, _ = weight.shape
        head += struct.pack("<16s4I", name.encode(), inputs, outputs, side, offset)
        values += [weight.numpy().ravel(), bias.numpy().ravel()]
        offset += weight.numel() + bias.numel()
    data = MAGIC + struct.pack("<2I", VERSION, len(layers)) + head
    data += np.concatenate(values).astype("<f2").tobytes()
    with open(path, "wb") as file:
        file.write(data + hashlib.sha256(data).digest())


class Folded(torch.nn.Module):
    """What the program computes."""

    def __init__(self, layers):
        super().__init__()
        self.names = [name for name, _, _ in layers]
        self.convolutions = torch.nn.ModuleList()
        for _, weight, bias in layers:
            outputs, inputs, side, _ = weight.shape
            layer = torch.nn.Conv2d(inputs, outputs, side, padding=side // 2)
            layer.weight.data, layer.bias.data = weight.float(), bias.float()
            self.convolutions.append(layer)

    def forward(self, x):
        layers = dict(zip(self.names, self.convolutions))
        kept = []
        for k in range(len(net.CHANNELS)):
            x = torch.nn.functional.max_pool2d(x, 2) if k > 0 else x
            for part in "ab":
                x = torch.relu(layers[f"down{k}{part}"](x))
            kept.append(x)
        for k in reversed(range(len(net.CHANNELS) - 1)):
            x = torch.nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
            x = torch.cat((kept[k], x), 1)
            for part in "ab":
                x = torch.relu(layers[f"up{k}{part}"](x))
        x = layers["head"](x)
        return torch.cat((torch.sigmoid(x[:, :2]), x[:, 2:].clamp(0, 1)), 1)


def write_onnx(path, folded):
    """The network as ONNX for pictures of any size; its values are 16-bit floats there too."""
    sizes = {"image": {0: "n", 2: "h", 3: "w"}, "maps": {0: "n", 2: "h", 3: "w"}}
    torch.onnx.export(folded, torch.zeros(1, 3, 64, 64), path, input_names=["image"],
                      output_names=["maps"], dynamic_axes=sizes, dynamo=False)
    model = onnx.load(path)
    casts, values = [], list(model.graph.initializer)
    del model.graph.initializer[:]
    for value in values:
        half = onnx.numpy_helper.to_array(value).astype(np.float16)
        model.graph.initializer.append(onnx.numpy_helper.from_array(half, value.name + ".half"))
        casts.append(onnx.helper.make_node("Cast", [value.name + ".half"], [value.name],
                                           to=onnx.TensorProto.FLOAT))
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.producer_name, model.doc_string = "training/contour/export.py", ABOUT
    onnx.checker.check_model(model)
    onnx.save(model, path)


def read_weights(path):
    """(name, weights, bias) of each layer of a weights file."""
    data = open(path, "rb").read()
    n = struct.unpack_from("<I", data, 12)[0]
    values = np.frombuffer(data, "<f2", offset=16 + 32 * n, count=(len(data) - 48 - 32 * n) // 2)
    for i in range(n):
        name, inputs, outputs, side, at = struct.unpack_from("<16s4I", data, 16 + 32 * i)
        shape, end = (outputs, inputs, side, side), at + outputs * inputs * side * side
        yield (name.rstrip(b"\0").decode(), torch.from_numpy(values[at:end].reshape(shape).copy()),
               torch.from_numpy(values[end:end + outputs].copy()))


def write_reference(path, folded, width=80, height=64):
    image, _ = made.picture(7, 384)
    image = 255 - image[100:100 + height, 60:60 + width].transpose(2, 0, 1)
    with torch.no_grad():
        output = folded(torch.from_numpy(image.copy())[None].float() / 255)[0].numpy()
    with open(path, "wb") as file:
        file.write(struct.pack("<2I", width, height) + image.tobytes())
        file.write(output.astype("<f4").tobytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("network", help="what train.py wrote, or a weights file")
    parser.add_argument("--weights")
    parser.add_argument("--onnx")
    parser.add_argument("--reference")
    options = parser.parse_args()
    if options.network.endswith(".vgnet"):
        layers = list(read_weights(options.network))
    else:
        network = net.Net()
        network.load_state_dict(torch.load(options.network, map_location="cpu"))
        layers = halves(network.eval())
    if options.weights:
        write_weights(options.weights, layers)
    folded = Folded(layers).eval()
    if options.reference:
        write_reference(options.reference, folded)
    if options.onnx:
        write_onnx(options.onnx, folded)


if __name__ == "__main__":
    main()
