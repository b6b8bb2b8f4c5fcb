"""Packed weights to int8 ONNX graphs.  usage: export.py PACK TOKENIZER OUT

OUT gets encoder.onnx, decoder.onnx, embeddings.bin (one table that both graphs refer to), tokenizer.json and config.json.
Needs numpy and onnx only. Matrices keep one scale an output channel; activations are quantised as they come (DynamicQuantizeLinear).
"""
import hashlib
import json
import math
import os
import shutil
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

from pack import quantise, read
from text import BLOCK, Tokenizer

BEST = 8  # candidates that a decoder step returns


class Graph:
    def __init__(self, about, weights):
        self.about, self.w, self.nodes, self.constants, self.n = about, weights, [], [], 0
        self.d, self.heads = about["d"], about["heads"]
        vocab = about["vocab"]
        self.outside("table", T.INT8, [self.d, vocab], 0, self.d * vocab)
        self.outside("table.scale", T.FLOAT, [vocab], self.d * vocab, 4 * vocab)

    def outside(self, name, kind, dims, offset, length):
        t = onnx.TensorProto(name=name, data_type=kind, dims=dims, data_location=onnx.TensorProto.EXTERNAL)
        for k, v in (("location", "embeddings.bin"), ("offset", offset), ("length", length)):
            t.external_data.add(key=k, value=str(v))
        self.constants.append(t)

    def const(self, value, kind=np.float32):
        self.n += 1
        name = f"c{self.n}"
        self.constants.append(numpy_helper.from_array(np.array(value, kind, order="C"), name))
        return name

    def op(self, kind, *ins, outs=1, names=None, **attributes):
        self.n += 1
        names = names or [f"t{self.n}_{i}" for i in range(outs)]
        self.nodes.append(helper.make_node(kind, list(ins), names, **attributes))
        return names[0] if len(names) == 1 else names

    def shape(self, x, *dims):
        return self.op("Reshape", x, self.const(dims, np.int64))

    def times(self, x, matrix, scale, zero):
        q, s, z = self.op("DynamicQuantizeLinear", x, outs=3)
        y = self.op("Cast", self.op("MatMulInteger", q, matrix, z, zero), to=T.FLOAT)
        return self.op("Mul", y, self.op("Mul", s, scale))

    def linear(self, x, name):
        w = self.w[name + ".weight"]
        q, scale = quantise(w.reshape(-1, w.shape[-1]))
        y = self.times(x, self.const(q.T, np.int8), self.const(scale), self.const(np.zeros(len(scale)), np.int8))
        return self.op("Add", y, self.const(self.w[name + ".bias"]))

    def norm(self, x, name):
        return self.op("LayerNormalization", x, self.const(self.w[name + ".weight"]), self.const(self.w[name + ".bias"]), axis=-1, epsilon=1e-5)

    def split(self, x, parts):
        """[B, S, parts * D] to `parts` tensors [B, H, S, D / H]."""
        x = self.shape(x, 0, -1, parts, self.heads, self.d // self.heads)
        x = self.op("Transpose", x, perm=[2, 0, 3, 1, 4])
        return [self.op("Gather", x, self.const(i, np.int64), axis=0) for i in range(parts)]

    def attend(self, q, k, v, mask, name):
        q = self.op("Mul", q, self.const(1 / math.sqrt(self.d // self.heads)))
        s = self.op("MatMul", q, self.op("Transpose", k, perm=[0, 1, 3, 2]))
        if mask:
            s = self.op("Add", s, mask)
        y = self.op("Transpose", self.op("MatMul", self.op("Softmax", s, axis=-1), v), perm=[0, 2, 1, 3])
        return self.linear(self.shape(y, 0, -1, self.d), name)

    def feed(self, x, name):
        return self.linear(self.op("Relu", self.linear(x, name + ".up")), name + ".down")

    def embed(self, ids, places):
        """ids [B, S] and places [S] to [B, S, D]."""
        x = self.op("Transpose", self.op("Gather", "table", ids, axis=1), perm=[1, 2, 0])
        scale = self.op("Mul", self.op("Gather", "table.scale", ids), self.const(math.sqrt(self.d)))
        x = self.op("Mul", self.op("Cast", x, to=T.FLOAT), self.op("Unsqueeze", scale, self.const([2], np.int64)))
        rates = self.const(1 / 10000 ** (2 * np.arange(self.d // 2) / self.d))
        at = self.op("Mul", self.op("Unsqueeze", self.op("Cast", places, to=T.FLOAT), self.const([1], np.int64)), rates)
        return self.op("Add", x, self.op("Concat", self.op("Sin", at), self.op("Cos", at), axis=-1))

    def mask(self, source):
        """source ids [B, S] to [B, 1, 1, S]: nothing for a piece, very little for padding."""
        empty = self.op("Cast", self.op("Equal", source, self.const(0, np.int64)), to=T.FLOAT)
        return self.op("Unsqueeze", self.op("Mul", empty, self.const(-1e9)), self.const([1, 2], np.int64))

    def save(self, path, ins, outs):
        graph = helper.make_graph(self.nodes, "translator", ins, outs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="parlance")
        model.ir_version = 8
        with open(path, "wb") as f:
            f.write(model.SerializeToString())


def value(name, kind, *dims):
    return helper.make_tensor_value_info(name, kind, list(dims))


def cache(name, rows, length, g):
    return value(name, T.FLOAT, rows, g.heads, length, g.d // g.heads)


def encoder(about, weights, path):
    g = Graph(about, weights)
    length = g.op("Gather", g.op("Shape", "source"), g.const(1, np.int64))
    x = g.embed("source", g.op("Range", g.const(0, np.int64), length, g.const(1, np.int64)))
    mask = g.mask("source")
    for i in range(about["encoders"]):
        p = f"enc.{i}"
        q, k, v = g.split(g.linear(g.norm(x, p + ".n1"), p + ".self.qkv"), 3)
        x = g.op("Add", x, g.attend(q, k, v, mask, p + ".self.out"))
        x = g.op("Add", x, g.feed(g.norm(x, p + ".n2"), p + ".feed"))
    x = g.norm(x, "ne")
    outs = []
    for i in range(about["decoders"]):
        k, v = g.split(g.linear(x, f"dec.{i}.cross.kv"), 2)
        for name, t in ((f"cross_k{i}", k), (f"cross_v{i}", v)):
            g.op("Identity", t, names=[name])
            outs.append(cache(name, "sentences", "source_length", g))
    g.save(path, [value("source", T.INT64, "sentences", "source_length")], outs)


def decoder(about, weights, path, silent):
    g = Graph(about, weights)
    ins = [
        value("piece", T.INT64, "rows"),
        value("at", T.INT64, 1),
        value("source", T.INT64, "sentences", "source_length"),
        value("sentence", T.INT64, "rows"),
        value("parent", T.INT64, "rows"),
    ]
    outs = [value("score", T.FLOAT, "rows", BEST), value("best", T.INT64, "rows", BEST)]
    x = g.embed(g.op("Unsqueeze", "piece", g.const([1], np.int64)), "at")
    mask = g.mask(g.op("Gather", "source", "sentence", axis=0))
    for i in range(about["decoders"]):
        p = f"dec.{i}"
        q, k, v = g.split(g.linear(g.norm(x, p + ".n1"), p + ".self.qkv"), 3)
        for z, new in (("k", k), ("v", v)):
            ins += [cache(f"past_{z}{i}", "past_rows", "past", g), cache(f"cross_{z}{i}", "sentences", "source_length", g)]
            g.op("Concat", g.op("Gather", f"past_{z}{i}", "parent", axis=0), new, names=[f"next_{z}{i}"], axis=2)
            outs.append(cache(f"next_{z}{i}", "rows", "next", g))
        x = g.op("Add", x, g.attend(q, f"next_k{i}", f"next_v{i}", None, p + ".self.out"))
        (q,) = g.split(g.linear(g.norm(x, p + ".n2"), p + ".cross.q"), 1)
        k, v = (g.op("Gather", f"cross_{z}{i}", "sentence", axis=0) for z in "kv")
        x = g.op("Add", x, g.attend(q, k, v, mask, p + ".cross.out"))
        x = g.op("Add", x, g.feed(g.norm(x, p + ".n3"), p + ".feed"))
    x = g.shape(g.norm(x, "nd"), -1, about["d"])
    y = g.times(x, "table", "table.scale", g.const(np.zeros(about["vocab"]), np.int8))
    never = np.zeros(about["vocab"], np.float32)
    never[silent] = -1e9
    y = g.op("LogSoftmax", g.op("Add", y, g.const(never)), axis=-1)
    g.op("TopK", y, g.const([BEST], np.int64), names=["score", "best"], axis=-1)
    g.save(path, ins, outs)


def main():
    folder, tokens, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    about, weights = read(folder)
    tok = Tokenizer(tokens)
    tags = {t["content"]: t["id"] for t in tok.file["added_tokens"]}
    q, scale = quantise(weights["emb"])
    with open(os.path.join(out, "embeddings.bin"), "wb") as f:
        f.write(np.ascontiguousarray(q.T).tobytes())
        f.write(scale.tobytes())
    silent = [i for i in tags.values() if i != tags["</s>"]] + list(range(about["pieces"], about["vocab"]))
    encoder(about, weights, os.path.join(out, "encoder.onnx"))
    decoder(about, weights, os.path.join(out, "decoder.onnx"), silent)
    shutil.copyfile(tokens, os.path.join(out, "tokenizer.json"))
    config = {k: about[k] for k in ("d", "wide", "heads", "encoders", "decoders", "vocab", "pieces", "langs", "step", "seconds")}
    config.update(tags=tags, blocks=BLOCK, devanagari=0x0900, best=BEST, longest=124)
    with open(os.path.join(out, "config.json"), "w", encoding="utf8") as f:
        json.dump(config, f, indent=1)
    for name in sorted(os.listdir(out)):
        with open(os.path.join(out, name), "rb") as f:
            data = f.read()
        print(f"{hashlib.sha256(data).hexdigest()} {len(data):>9} {name}")


if __name__ == "__main__":
    main()
