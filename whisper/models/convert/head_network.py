"""The network of a head: convolutions over a frozen encoder's states, one output for each unit, and its ONNX graph."""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

OPSET = 20


class Dropout(nn.Module):
    """Like torch's, but a random byte decides on each number: making 32 random bits takes longer than the layer."""

    def __init__(self, share):
        super().__init__()
        self.threshold = round(256 * share)
        self.random = np.random.default_rng(torch.initial_seed())

    def forward(self, value):
        if not self.training or self.threshold == 0:
            return value
        noise = np.frombuffer(self.random.bytes(value.numel()), np.uint8).reshape(value.shape)
        kept = torch.from_numpy((noise >= self.threshold).astype(np.float32) * (256 / (256 - self.threshold)))
        return value * kept.to(value.dtype)


class Head(nn.Module):
    """Takes [clips, frames, states], gives the scores of the units [clips, frames, units]."""

    def __init__(self, mean, deviation, units, *, width, layers, reach, dropout):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        self.reach = reach
        self.enter = nn.Linear(len(mean), width)
        self.contexts = nn.ModuleList(
            nn.Conv1d(width, width, 2 * reach + 1, padding=reach, groups=width, bias=False) for _ in range(layers)
        )
        self.mixers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.leave = nn.Linear(width, units)
        self.dropout = Dropout(dropout)
        self._reset()

    def _reset(self):
        """Every layer begins as no context at all, and every frame as a blank."""
        for context in self.contexts:
            nn.init.normal_(context.weight, std=0.1)
            context.weight.data[:, :, self.reach] += 1
        for linear in (self.enter, *self.mixers):
            nn.init.normal_(linear.weight, std=(2 / linear.in_features) ** 0.5)
            nn.init.zeros_(linear.bias)
        nn.init.normal_(self.leave.weight, std=0.02)
        nn.init.zeros_(self.leave.bias)
        self.leave.bias.data[0] = 1

    def forward(self, normalized, mask):
        """`normalized` states, and 1 for each frame that is heard: what lies behind a clip must not be heard in it."""
        value = self.dropout(nn.functional.gelu(self.enter(normalized))) * mask
        for context, mixer in zip(self.contexts, self.mixers):
            near = context(value.transpose(1, 2)).transpose(1, 2)
            value = (value + self.dropout(nn.functional.gelu(mixer(near)))) * mask
        return self.leave(value)

    def normalize(self, states):
        return (states - self.mean) / self.deviation

    def probabilities(self, states):
        """Log-probabilities [frames, units] of one clip."""
        with torch.no_grad():
            normalized = self.normalize(states)[None]
            return self(normalized, torch.ones(1, len(states), 1))[0].log_softmax(-1)


class Graph:
    def __init__(self, half):
        self.half, self.nodes, self.constants = half, [], []

    def constant(self, name, array):
        array = np.ascontiguousarray(array, np.float32)
        if not self.half:
            self.constants.append(numpy_helper.from_array(array, name))
            return name
        self.constants.append(numpy_helper.from_array(array.astype(np.float16), f"{name}.half"))
        return self.add("Cast", [f"{name}.half"], name, to=TensorProto.FLOAT)

    def add(self, operator, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def linear(self, name, value, weight, bias):
        product = self.add("MatMul", [value, self.constant(f"{name}.weight", weight.T)], f"{name}.product")
        return self.add("Add", [product, self.constant(f"{name}.bias", bias)], name)

    def gelu(self, name, value):
        return self.add("Gelu", [value], name)


def add_head(graph, head, start):
    """Adds a head with its normalization folded into the first layer; returns its scores."""
    numbers = {name: value.detach().double().numpy() for name, value in head.state_dict().items()}
    weight = numbers["enter.weight"] / numbers["deviation"]
    bias = numbers["enter.bias"] - weight @ numbers["mean"]
    value = graph.gelu(f"{start}enter.active", graph.linear(f"{start}enter", "states", weight, bias))
    for layer in range(len(head.contexts)):
        name = f"{start}{layer}"
        turned = graph.add("Transpose", [value], f"{name}.turned", perm=[0, 2, 1])
        kernel = graph.constant(f"{name}.kernel", numbers[f"contexts.{layer}.weight"])
        settings = {"group": len(weight), "kernel_shape": [2 * head.reach + 1], "pads": [head.reach, head.reach]}
        near = graph.add("Conv", [turned, kernel], f"{name}.near", **settings)
        near = graph.add("Transpose", [near], f"{name}.back", perm=[0, 2, 1])
        mixed = graph.linear(f"{name}.mixed", near, numbers[f"mixers.{layer}.weight"], numbers[f"mixers.{layer}.bias"])
        value = graph.add("Add", [value, graph.gelu(f"{name}.active", mixed)], f"{name}.sum")
    return graph.linear(f"{start}leave", value, numbers["leave.weight"], numbers["leave.bias"])


def write_heads(heads, path, half=True):
    """Writes one graph whose output is the mean of the heads' log-probabilities, normalized."""
    graph = Graph(half)
    scores = []
    for number, head in enumerate(heads):
        score = add_head(graph, head, f"{number}.")
        scores.append(graph.add("LogSoftmax", [score], f"{number}.log", axis=-1) if len(heads) > 1 else score)
    score = scores[0] if len(heads) == 1 else graph.add("Mean", scores, "mean")
    graph.add("LogSoftmax", [score], "log_probabilities", axis=-1)
    states, units = len(heads[0].mean), heads[0].leave.out_features
    inputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "frames", states])]
    outputs = [helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, [1, "frames", units])]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "head", inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=9,
        producer_name="train_head.py",
    )
    onnx.checker.check_model(model)
    onnx.save(model, path)
