"""The mean of weights before training and after several trainings.  usage: blend.py START.onnx OUT.onnx TRAINED.onnx... [--share 0.6]

What was learnt from drawn lines and what was known of real paper are both kept best in between, and what one training got wrong by
chance another did not. The last layer, which has new characters, is the mean of the trained ones.
"""
import argparse

import numpy as np
import onnx
from onnx import numpy_helper


def weights(file):
    return [node.attribute[0].t for node in file.graph.node if node.op_type == "Constant"]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("start")
    a.add_argument("out")
    a.add_argument("trained", nargs="+")
    a.add_argument("--share", type=float, default=0.6, help="of the trained weights together, in all layers but the last")
    a = a.parse_args()
    files = [onnx.load(path) for path in (a.start, *a.trained)]
    out = files[-1]
    characters = out.graph.output[0].type.tensor_type.shape.dim[2].dim_value
    for kept, *all_of_one in zip(weights(out), *map(weights, files)):
        before, *after = map(numpy_helper.to_array, all_of_one)
        if before.dtype != np.float32 or before.size == 1:
            continue
        share = 1 if before.shape[-1] == characters else a.share
        mean = (1 - share) * before + share * np.mean(after, axis=0)
        kept.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), kept.name))
    onnx.save(out, a.out)


if __name__ == "__main__":
    main()
