# SPDX-License-Identifier: MIT
"""The network: a U-Net of five resolutions with 1.9 million weights.

Input: three planes of 0 (background) to 1, which are 1 - RGB of stained tissue, or three times a
grey plane in which nuclei are bright.  Output: logits of nucleus and of the border between two that
touch, and the distance from the border (0 at the border of a nucleus, 1 in its middle).
"""
import torch
from torch import nn

CHANNELS = (16, 32, 64, 128, 256)
OUTPUTS = 3


class Block(nn.Module):
    """Two convolutions of 3 x 3."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.a = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.norm_a = nn.BatchNorm2d(outputs)
        self.b = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm_b = nn.BatchNorm2d(outputs)

    def forward(self, x):
        x = torch.relu(self.norm_a(self.a(x)))
        return torch.relu(self.norm_b(self.b(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        inputs = (3,) + CHANNELS[:-1]
        self.down = nn.ModuleList(Block(i, o) for i, o in zip(inputs, CHANNELS))
        self.up = nn.ModuleList(Block(CHANNELS[k] + CHANNELS[k + 1], CHANNELS[k])
                                for k in range(len(CHANNELS) - 1))
        self.head = nn.Conv2d(CHANNELS[0], OUTPUTS, 1)

    def forward(self, x):
        kept = []
        for k, block in enumerate(self.down):
            if k > 0:
                x = nn.functional.max_pool2d(x, 2)
            x = block(x)
            kept.append(x)
        for k in reversed(range(len(self.up))):
            x = nn.functional.interpolate(x, scale_factor=2, mode="nearest")
            x = self.up[k](torch.cat((kept[k], x), 1))
        return self.head(x)


def folded(conv, norm):
    """Weights and bias of a convolution with its normalisation."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return conv.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale


def layers(net):
    """(name, weights, bias) of each convolution in the order of its use."""
    result = []
    order = [(f"down{k}", block) for k, block in enumerate(net.down)]
    order += [(f"up{k}", net.up[k]) for k in reversed(range(len(net.up)))]
    for name, block in order:
        for part in "ab":
            weight, bias = folded(getattr(block, part), getattr(block, "norm_" + part))
            result.append((name + part, weight.detach(), bias.detach()))
    result.append(("head", net.head.weight.detach(), net.head.bias.detach()))
    return result
