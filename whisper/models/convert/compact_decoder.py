"""Rewrites a merged, int8-quantized Whisper decoder as two small graphs with the same weights. See README.md.

Usage: compact_decoder.py MODEL OUT
MODEL is a directory in the standard ONNX layout; OUT receives decoder_compact_quantized.onnx and
decoder_cross_quantized.onnx.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
MICROSOFT = "com.microsoft"
ROOT = "/model/decoder"


class MergedDecoder:
    """The weights of a merged decoder, found by the names that the exporter gives to the nodes that use them."""

    def __init__(self, path):
        model = onnx.load(path)
        switch = next(node for node in model.graph.node if node.op_type == "If")
        # `use_cache_branch` decides: only the branch for "false" has the keys and values of the encoder's output.
        branch = next(attribute.g for attribute in switch.attribute if attribute.name == "else_branch")
        self.nodes = list(branch.node)
        self.values = {tensor.name: tensor for tensor in [*model.graph.initializer, *branch.initializer]}
        self.producers = {name: node for node in self.nodes for name in node.output}

    def array(self, name):
        return numpy_helper.to_array(self.values[name])

    def weight(self, start):
        """Integers [inputs, outputs] and the scale of each output of the product whose name begins with `start`."""
        product = next(n for n in self.nodes if n.op_type == "MatMulInteger" and n.output[0].startswith(start))
        name = product.input[1]
        weight, zero_point = self.array(name), self.array(product.input[3])
        if zero_point.dtype != np.int8 or np.any(zero_point):
            raise SystemExit(f"{name}: the weights must be int8 without zero points")
        scale = self.array(name.removesuffix("_quantized") + "_scale").astype(np.float32)
        return weight, np.broadcast_to(scale, weight.shape[1:])

    def linear(self, name):
        weight, scale = self.weight(f"{name}/MatMul_output_0")
        addition = self.producers.get(f"{name}/Add_output_0")
        if addition is None:
            return weight, scale, np.zeros(weight.shape[1], np.float32)
        bias = next(value for value in addition.input if value in self.values)
        return weight, scale, self.array(bias).astype(np.float32)

    def norm(self, name):
        node = self.producers[f"{name}/LayerNormalization_output_0"]
        epsilon = next(attribute.f for attribute in node.attribute if attribute.name == "epsilon")
        return self.array(node.input[1]), self.array(node.input[2]), epsilon

    def positions(self):
        gather = next(n for n in self.nodes if n.op_type == "Gather" and "embed_positions" in n.output[0])
        return self.array(gather.input[0]).astype(np.float32)


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, name, array):
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def add(self, operator, inputs, outputs, domain="", **attributes):
        outputs = [outputs] if isinstance(outputs, str) else outputs
        self.nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], domain=domain, **attributes))
        return outputs[0]

    def linear(self, name, value, parts):
        """One product for the linear layers that read the same value."""
        weight, scale, bias = (np.concatenate([part[index] for part in parts], axis=-1) for index in range(3))
        constants = [self.constant(f"{name}.{kind}", a) for kind, a in (("weight", weight), ("scale", scale))]
        inputs = [value, *constants, "", self.constant(f"{name}.bias", bias)]
        return self.add("DynamicQuantizeMatMul", inputs, name, MICROSOFT)

    def save(self, path, inputs, outputs):
        def described(values):
            return [helper.make_tensor_value_info(*value) for value in values]

        graph = helper.make_graph(
            self.nodes, path.stem, described(inputs), described(outputs), list(self.constants.values())
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name=Path(__file__).name), path)


def build_cross(source, layers, heads, width, path):
    """Keys (transposed) and values of the encoder's output, which stay the same for a whole window."""
    graph, size, outputs = Graph(), width // heads, []
    graph.constant("split", np.array([1, -1, heads, size], np.int64))
    quantized = ["hidden", "hidden.scale", "hidden.zero"]
    graph.add("DynamicQuantizeLinear", ["encoder_hidden_states"], quantized)
    for layer in range(layers):
        for kind, order in (("key", [2, 0, 3, 1]), ("value", [2, 0, 1, 3])):
            name = f"cross.{layer}.{kind}"
            weight, scale, bias = source.linear(f"{ROOT}/layers.{layer}/encoder_attn/{kind[0]}_proj")
            inputs = ["hidden", graph.constant(f"{name}.weight", weight), "hidden.scale"]
            inputs += [graph.constant(f"{name}.scale", scale), "hidden.zero", "", graph.constant(f"{name}.bias", bias)]
            graph.add("MatMulIntegerToFloat", inputs, f"{name}.flat", MICROSOFT)
            graph.add("Reshape", [f"{name}.flat", "split"], f"{name}.heads")
            graph.add("Transpose", [f"{name}.heads"], name, perm=order)
            shape = [heads, 1, size, "frames"] if kind == "key" else [heads, 1, "frames", size]
            outputs.append((name, FLOAT, shape))
    graph.save(path, [("encoder_hidden_states", FLOAT, [1, "frames", width])], outputs)


class Decoder:
    def __init__(self, source, layers, heads, width, alignment_layers):
        self.source, self.layers, self.heads, self.width = source, layers, heads, width
        self.size, self.alignment_layers = width // heads, alignment_layers
        self.graph = Graph()
        # Several readings of one window share a step: all listen to the same audio, and what they have in common is in the
        # past once. `text_mask` says which of the past's slots and of this step's tokens each token may attend to.
        self.inputs = [
            ("input_ids", INT64, ["readings", "n"]),
            ("cache_position", INT64, ["n"]),
            ("logits_rows", INT64, ["rows"]),
            ("text_mask", FLOAT, ["tokens", "slots_and_tokens"]),
        ]
        self.new_past, self.attentions = [], []

    def save(self, path):
        graph = self.graph
        # Readings and tokens stay as they are.
        graph.constant("split", np.array([0, 0, self.heads, self.size], np.int64))
        graph.constant("rows.split", np.array([-1, 3 * self.heads, self.size], np.int64))
        vocabulary = self.embed()
        graph.add("Shape", ["tokens"], "tokens.shape")
        value, rest = "tokens", "positions"
        for layer in range(self.layers):
            value, rest = self.layer(layer, f"{ROOT}/layers.{layer}", value, rest)
        normal, _ = self.norm("last.norm", f"{ROOT}/layer_norm", value, rest)
        graph.add("Gather", [normal, "logits_rows"], "last.rows", axis=1)
        graph.add("DynamicQuantizeMatMul", ["last.rows", "tokens.weight", "tokens.scale"], "logits", MICROSOFT)
        # For each layer the heads' keys, then their values.
        graph.add("Concat", self.new_past, "new_past", axis=0)
        outputs = [
            ("logits", FLOAT, ["readings", "rows", vocabulary]),
            ("new_past", FLOAT, [2 * self.layers * self.heads, "tokens", self.size]),
        ]
        graph.save(path, self.inputs, outputs + self.attentions)

    def embed(self):
        """The matrix of the output projection is the embedding, too."""
        graph = self.graph
        weight, scale = self.source.weight("logits")
        graph.constant("tokens.weight", weight)
        graph.constant("tokens.scale", scale)
        graph.constant("tokens.scale.column", scale.reshape(-1, 1))
        graph.add("Gather", ["tokens.weight", "input_ids"], "tokens.columns", axis=1)
        graph.add("Transpose", ["tokens.columns"], "tokens.rows", perm=[1, 2, 0])
        graph.add("Cast", ["tokens.rows"], "tokens.float", to=FLOAT)
        graph.add("Gather", ["tokens.scale.column", "input_ids"], "tokens.row.scale", axis=0)
        graph.add("Mul", ["tokens.float", "tokens.row.scale"], "tokens")
        graph.constant("positions.weight", self.source.positions())
        graph.add("Gather", ["positions.weight", "cache_position"], "positions.rows", axis=0)
        graph.add("Unsqueeze", ["positions.rows", graph.constant("axis", np.array([0], np.int64))], "positions")
        return weight.shape[1]

    def norm(self, name, path, value, rest):
        """Adds and normalizes; gives the normalized value and the sum."""
        gamma, beta, epsilon = self.source.norm(path)
        graph = self.graph
        constants = [graph.constant(f"{name}.weight", gamma), graph.constant(f"{name}.bias", beta)]
        outputs = [name, "", "", f"{name}.sum"]
        graph.add("SkipLayerNormalization", [value, rest, *constants], outputs, MICROSOFT, epsilon=epsilon)
        return name, f"{name}.sum"

    def layer(self, layer, path, value, rest):
        graph, linear = self.graph, self.source.linear
        normal, rest = self.norm(f"{layer}.self.norm", f"{path}/self_attn_layer_norm", value, rest)
        attended = self.attend_to_text(layer, [linear(f"{path}/self_attn/{part}_proj") for part in "qkv"], normal)
        value = graph.linear(f"{layer}.self.out", attended, [linear(f"{path}/self_attn/out_proj")])
        normal, rest = self.norm(f"{layer}.cross.norm", f"{path}/encoder_attn_layer_norm", value, rest)
        attended = self.attend_to_audio(layer, linear(f"{path}/encoder_attn/q_proj"), normal)
        value = graph.linear(f"{layer}.cross.out", attended, [linear(f"{path}/encoder_attn/out_proj")])
        normal, rest = self.norm(f"{layer}.feed.norm", f"{path}/final_layer_norm", value, rest)
        wide = graph.linear(f"{layer}.feed.in", normal, [linear(f"{path}/fc1")])
        active = graph.add("Gelu", [wide], f"{layer}.feed.active", MICROSOFT)
        return graph.linear(f"{layer}.feed.out", active, [linear(f"{path}/fc2")]), rest

    def attend_to_text(self, layer, parts, value):
        graph, name = self.graph, f"{layer}.self"
        past = [f"past.{layer}.{kind}" for kind in ("key", "value")]
        self.inputs += [(part, FLOAT, [self.heads, "slots", self.size]) for part in past]
        factor = np.float32(self.size**-0.5)
        weight, scale, bias = parts[0]
        parts = [(weight, scale * factor, bias * factor), *parts[1:]]
        graph.add("Reshape", [graph.linear(f"{name}.qkv", value, parts), "rows.split"], f"{name}.split")
        graph.add("Transpose", [f"{name}.split"], f"{name}.heads", perm=[1, 0, 2])
        query, key, content = (f"{name}.{part}" for part in ("query", "key", "value"))
        graph.add("Split", [f"{name}.heads"], [query, key, content], axis=0)
        self.new_past += [key, content]
        scores = [
            graph.add("FusedMatMul", [query, keys], f"{name}.scores.{part}", MICROSOFT, transB=1)
            for part, keys in (("past", past[0]), ("new", key))
        ]
        graph.add("Concat", scores, f"{name}.scores", axis=2)
        graph.add("Add", [f"{name}.scores", "text_mask"], f"{name}.masked")
        graph.add("Softmax", [f"{name}.masked"], f"{name}.weights", axis=-1)
        if layer == 0:
            graph.add("Shape", [past[0]], "slots", start=1, end=2)
            graph.add("Shape", [key], "step.tokens", start=1, end=2)
            graph.add("Concat", ["slots", "step.tokens"], "slots.and.tokens", axis=0)
        weights = [f"{name}.weights.past", f"{name}.weights.new"]
        graph.add("Split", [f"{name}.weights", "slots.and.tokens"], weights, axis=2)
        attended = [
            graph.add("MatMul", [weights[0], past[1]], f"{name}.attended.past"),
            graph.add("MatMul", [weights[1], content], f"{name}.attended.new"),
        ]
        graph.add("Add", attended, f"{name}.attended.heads")
        graph.add("Transpose", [f"{name}.attended.heads"], f"{name}.rows", perm=[1, 0, 2])
        return graph.add("Reshape", [f"{name}.rows", "tokens.shape"], f"{name}.attended")

    def attend_to_audio(self, layer, part, value):
        graph, name = self.graph, f"{layer}.cross"
        key, content = f"cross.{layer}.key", f"cross.{layer}.value"
        self.inputs.append((key, FLOAT, [self.heads, 1, self.size, "frames"]))
        self.inputs.append((content, FLOAT, [self.heads, 1, "frames", self.size]))
        weight, scale, bias = part
        factor = np.float32(self.size**-0.5)
        query = graph.linear(f"{name}.query", value, [(weight, scale * factor, bias * factor)])
        # Heads come first, so that the product takes all readings of a head one after the other: its keys (384 kB) come from
        # memory once and then from the processor's cache. One product over rows of all readings is slower, because it
        # copies the keys into another order first.
        graph.add("Reshape", [query, "split"], f"{name}.query.split")
        graph.add("Transpose", [f"{name}.query.split"], f"{name}.query.heads", perm=[2, 0, 1, 3])
        graph.add("MatMul", [f"{name}.query.heads", key], f"{name}.scores")
        weights = f"{name}.weights"
        if layer in self.alignment_layers:
            weights = f"cross_attentions.{layer}"
            self.attentions.append((weights, FLOAT, [self.heads, "readings", "n", "frames"]))
        graph.add("Softmax", [f"{name}.scores"], weights, axis=-1)
        graph.add("MatMul", [weights, content], f"{name}.heads")
        graph.add("Transpose", [f"{name}.heads"], f"{name}.rows", perm=[1, 2, 0, 3])
        return graph.add("Reshape", [f"{name}.rows", "tokens.shape"], f"{name}.attended")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    model, out = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((model / "config.json").read_text())
    generation = json.loads((model / "generation_config.json").read_text())
    layers, heads, width = (config[key] for key in ("decoder_layers", "decoder_attention_heads", "d_model"))
    source = MergedDecoder(model / "onnx" / "decoder_model_merged_quantized.onnx")
    out.mkdir(parents=True, exist_ok=True)
    build_cross(source, layers, heads, width, out / "decoder_cross_quantized.onnx")
    alignment_layers = {layer for layer, _ in generation.get("alignment_heads", [])}
    Decoder(source, layers, heads, width, alignment_layers).save(out / "decoder_compact_quantized.onnx")


if __name__ == "__main__":
    main()
