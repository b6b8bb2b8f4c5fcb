"""Checkpoint to an ONNX graph with 8-bit weights.  usage: export.py tagger.pt OUT

OUT gets tagger.onnx and tagger.json (the names of tags, kinds and meanings in the net's order).
Weights have seven bits, so that processors without VNNI add their products without overflow.
"""
import json
import os
import sys

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

import features
from net import Tagger
from tags import KINDS, TAGS


class Exported(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, grams, words, shapes, meanings, numbers, boxes):
        tags, kind, first, links = self.net(*(value.unsqueeze(0) for value in (grams, words, shapes, meanings, numbers, boxes)))
        return tags.softmax(-1)[0], kind.softmax(-1)[0], first.softmax(-1)[0], links[0]


def main():
    net = Tagger().eval()
    net.load_state_dict({name: value.float() for name, value in torch.load(sys.argv[1], map_location="cpu").items()})
    n, out = 37, sys.argv[2]
    example = (
        torch.ones(n, features.MOST_GRAMS, dtype=torch.int64), torch.ones(n, dtype=torch.int64), torch.ones(n, dtype=torch.int64),
        torch.zeros(n, 4, dtype=torch.int64), torch.zeros(n, features.NUMBERS), torch.rand(n, 4),
    )
    names, given = ["grams", "words", "shapes", "meanings", "numbers", "boxes"], ["tags", "kind", "first", "links"]
    whole = os.path.join(out, "whole.onnx")
    torch.onnx.export(Exported(net), example, whole, input_names=names, output_names=given, opset_version=17, dynamo=False,
                      dynamic_axes={name: {0: "n"} for name in [*names, "tags", "links"]})
    small = os.path.join(out, "tagger.onnx")
    quantize_dynamic(whole, small, op_types_to_quantize=["MatMul", "Gemm", "Gather"], weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    with open(os.path.join(out, "tagger.json"), "w", encoding="utf8") as file:
        json.dump({"tags": TAGS, "kinds": KINDS, "meanings": features.LEXICON.meanings}, file, ensure_ascii=False)
    compare(net, whole, small, example)
    os.remove(whole)


def compare(net, whole, small, example):
    import onnxruntime as ort

    inputs = {name: value.numpy() for name, value in zip(["grams", "words", "shapes", "meanings", "numbers", "boxes"], example)}
    results = [ort.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, inputs)[0] for path in (whole, small)]
    print(f"{os.path.getsize(small) / 1e6:.1f} MB; chances of tags differ by at most {np.abs(results[0] - results[1]).max():.4f}")


if __name__ == "__main__":
    main()
