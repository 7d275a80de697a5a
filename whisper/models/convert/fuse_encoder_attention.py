"""Replaces the attention of a Whisper encoder by one operator per layer, which keeps no matrix of 1500 x 1500. See README.md.

Usage: fuse_encoder_attention.py MODEL OUT
MODEL is a directory in the standard ONNX layout; OUT receives encoder_model.onnx, with the same inputs and outputs.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"


def fuse(model, layers, heads, width):
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    producers = {name: node for node in graph.node for name in node.output}

    def bias_of(name):
        """Biases are stored as they are, or as float16 with a cast."""
        addition = producers.get(f"{name}/Add_output_0")
        if addition is None:
            return np.zeros(width, np.float32)
        for value in addition.input:
            stored = producers[value].input[0] if value in producers and producers[value].op_type == "Cast" else value
            if stored in constants:
                return numpy_helper.to_array(constants[stored])
        raise SystemExit(f"{name} has no bias that can be read")

    for layer in range(layers):
        attention = f"/layers.{layer}/self_attn"
        joined = next(value for value in producers[f"{attention}/out_proj/MatMul_output_0"].input if value in producers)
        biases = [bias_of(f"{attention}/{part}_proj") for part in "qkv"]
        stored = np.concatenate(biases)
        if all(np.array_equal(b, b.astype(np.float16)) for b in biases):
            stored = stored.astype(np.float16)
        graph.initializer.append(numpy_helper.from_array(stored, f"{attention}/bias_stored"))
        products = [f"{attention}/{part}_proj/MatMul_output_0" for part in "qkv"]
        old = producers[joined]
        place = list(graph.node).index(old)
        graph.node.remove(old)
        cast = helper.make_node("Cast", [f"{attention}/bias_stored"], [f"{attention}/bias"], to=TensorProto.FLOAT)
        settings = {"num_heads": heads, "scale": (width // heads) ** -0.5}
        fused = helper.make_node(
            "MultiHeadAttention", [*products, f"{attention}/bias"], [joined], domain=MICROSOFT, **settings
        )
        graph.node.insert(place, fused)
        graph.node.insert(place, cast)
    remove_unused(graph)
    model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))


def remove_unused(graph):
    while True:
        used = {output.name for output in graph.output} | {name for node in graph.node for name in node.input}
        unused = [node for node in graph.node if not used.intersection(node.output)]
        if not unused:
            break
        for node in unused:
            graph.node.remove(node)
    for tensor in [tensor for tensor in graph.initializer if tensor.name not in used]:
        graph.initializer.remove(tensor)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((source / "config.json").read_text())
    model = onnx.load(source / "onnx" / "encoder_model.onnx")
    fuse(model, *(config[key] for key in ("encoder_layers", "encoder_attention_heads", "d_model")))
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(model, out / "encoder_model.onnx")


if __name__ == "__main__":
    main()
