"""The reverse of export.py: ONNX graphs back to packed weights, for a later round to start from.  usage: unpack.py MODEL PACK"""
import json
import os
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from pack import save

STACKS = {"qkv": 3, "kv": 2}


def attention(prefix, norm, *matrices):
    return [f"{prefix}.{norm}", *(f"{prefix}.{m}" for m in matrices)]


def names(about):
    """Norms and matrices in the order in which export.py writes them, for each graph."""
    encoder, decoder = [], []
    for i in range(about["encoders"]):
        p = f"enc.{i}"
        encoder += attention(p, "n1", "self.qkv", "self.out") + attention(p, "n2", "feed.up", "feed.down")
    encoder += ["ne"] + [f"dec.{i}.cross.kv" for i in range(about["decoders"])]
    for i in range(about["decoders"]):
        p = f"dec.{i}"
        decoder += attention(p, "n1", "self.qkv", "self.out") + attention(p, "n2", "cross.q", "cross.out")
        decoder += attention(p, "n3", "feed.up", "feed.down")
    return encoder, decoder + ["nd"]


def constants_of(path):
    graph = onnx.load(path, load_external_data=False).graph
    known = {t.name: numpy_helper.to_array(t) for t in graph.initializer if t.data_location != onnx.TensorProto.EXTERNAL}
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "LayerNormalization":
            yield known[node.input[1]], known[node.input[2]]
        elif node.op_type == "MatMulInteger" and node.input[1] in known:
            (cast,) = users[node.output[0]]
            (scaled,) = users[cast.output[0]]
            scales = next(n for n in graph.node if scaled.input[1] in n.output).input[1]
            (added,) = users[scaled.output[0]]
            yield known[node.input[1]].T.astype(np.float32) * known[scales][:, None], known[added.input[1]]


def main():
    model, folder = sys.argv[1:3]
    with open(os.path.join(model, "config.json"), encoding="utf8") as f:
        about = json.load(f)
    d, vocab = about["d"], about["vocab"]
    with open(os.path.join(model, "embeddings.bin"), "rb") as f:
        data = f.read()
    table = np.frombuffer(data, np.int8, d * vocab).reshape(d, vocab).T.astype(np.float32)
    weights = {"emb": table * np.frombuffer(data, np.float32, vocab, d * vocab)[:, None]}
    for graph, order in zip(("encoder", "decoder"), names(about)):
        found = list(constants_of(os.path.join(model, f"{graph}.onnx")))
        if len(found) != len(order):
            raise SystemExit(f"{graph}.onnx holds {len(found)} layers where {len(order)} are expected")
        for name, (weight, bias) in zip(order, found):
            if weight.ndim == 2:
                weight = weight.reshape(STACKS.get(name.rsplit(".", 1)[-1], 1), -1, weight.shape[-1])
            weights[name + ".weight"], weights[name + ".bias"] = weight, bias
    keep = ("d", "wide", "encoders", "decoders", "heads", "vocab", "pieces", "langs", "step", "seconds")
    save(folder, weights, {k: about[k] for k in keep})


if __name__ == "__main__":
    main()
