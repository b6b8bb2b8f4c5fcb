"""Weights between those before training and those after it.  usage: blend.py START.onnx TRAINED.onnx OUT.onnx [--share 0.5]

What was learnt from drawn lines and what was known of real paper are both kept best halfway; the last layer, which has new characters, is
taken as trained.
"""
import argparse

import numpy as np
import onnx
from onnx import numpy_helper


def main():
    a = argparse.ArgumentParser()
    for name in ("start", "trained", "out"):
        a.add_argument(name)
    a.add_argument("--share", type=float, default=0.5, help="of the trained weights, in all layers but the last")
    a = a.parse_args()
    start, trained = onnx.load(a.start), onnx.load(a.trained)
    characters = trained.graph.output[0].type.tensor_type.shape.dim[2].dim_value
    for old, new in zip(start.graph.node, trained.graph.node):
        if new.op_type != "Constant":
            continue
        before, after = (numpy_helper.to_array(node.attribute[0].t) for node in (old, new))
        if after.dtype != np.float32 or after.size == 1 or after.shape[-1] == characters:
            continue
        mean = ((1 - a.share) * before + a.share * after).astype(np.float32)
        kept = new.attribute[0].t
        kept.CopyFrom(numpy_helper.from_array(mean, kept.name))
    onnx.save(trained, a.out)


if __name__ == "__main__":
    main()
