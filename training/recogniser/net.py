"""An ONNX recogniser as a trainable torch module: its nodes are run one after another, its weights are parameters."""
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F


# A guess: the letter that was known stays the likeliest until training says otherwise.
COPY_HANDICAP = 4.0


class Net(nn.Module):
    """Weights and gains are trained; the running statistics of norms, axes, shapes and other single numbers stay."""

    def __init__(self, path):
        super().__init__()
        self.file = onnx.load(path)
        self.nodes, constants = [], {}
        for node in self.file.graph.node:
            if node.op_type == "Constant":
                constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            else:
                self.nodes.append((node.op_type, list(node.input), list(node.output),
                                   {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}))
        fixed = {name for op, inputs, _, _ in self.nodes if op == "BatchNormalization" for name in inputs[3:]}
        self.trained, self.fixed = nn.ParameterDict(), {}
        self.places = {}
        for name, value in constants.items():
            tensor = torch.from_numpy(np.array(value))
            if value.dtype == np.float32 and value.size > 1 and name not in fixed:
                self.places[name] = name.replace(".", "/")
                self.trained[self.places[name]] = nn.Parameter(tensor)
            else:
                self.fixed[name] = tensor
        self.scalars = {name: float(v) for name, v in self.fixed.items() if v.is_floating_point() and v.numel() == 1}
        self._fuse()

    def _fuse(self):
        """`x * clip(x + 3, 0, 6) / 6` in one step: four would each keep a copy for the way back."""
        made = {o: (i, node) for i, node in enumerate(self.nodes) for o in node[2]}
        gone = set()
        for index, (op, inputs, outputs, _) in enumerate(self.nodes):
            if op != "Div" or self.scalars.get(inputs[1]) != 6:
                continue
            at, product = made[inputs[0]]
            clipped = next(name for name in product[1] if made.get(name, (0, ("",)))[1][0] == "Clip")
            clip_at, clip = made[clipped]
            sum_at, _ = made[clip[1][0]]
            x = next(name for name in product[1] if name != clipped)
            gone |= {at, clip_at, sum_at}
            self.nodes[index] = ("HardSwish", [x], outputs, {})
        self.nodes = [node for i, node in enumerate(self.nodes) if i not in gone]

    def new_head(self, rows, is_copy):
        """Replaces the last layer: each new character begins as one of the old ones, and is less likely where it is only like that one."""
        (_, weight_inputs, _, _), (_, bias_inputs, _, _) = self.nodes[-3], self.nodes[-2]
        self.head = (weight_inputs[1], next(n for n in bias_inputs if n in self.places))
        weight, bias = (self.trained[self.places[name]].data for name in self.head)
        noise = 0.02 * weight.std() * torch.randn(weight.shape[0], len(rows))
        self.trained[self.places[self.head[0]]] = nn.Parameter(weight[:, rows] + noise)
        self.trained[self.places[self.head[1]]] = nn.Parameter(bias[rows] - COPY_HANDICAP * torch.tensor(is_copy, dtype=torch.float32))

    def to(self, device):
        self.fixed = {name: v.to(device) if v.is_floating_point() else v for name, v in self.fixed.items()}
        return super().to(device)

    def forward(self, x):
        """Scores (not probabilities) of lines [n, 3, 48, width], by step: [n, width / 8, characters]."""
        v = {"x": x}

        def of(name):
            if name in v:
                return v[name]
            return self.trained[self.places[name]] if name in self.places else self.fixed[name]

        def number(name):
            return self.scalars[name] if name in self.scalars else of(name)

        for op, i, o, a in self.nodes:
            if op == "Softmax" and o[0] == self.file.graph.output[0].name:
                return v[i[0]]
            v[o[0]] = run(op, i, a, of, number)
        raise ValueError("the graph does not end with probabilities")

    def save(self, path):
        values = {name: self.trained[place].detach().float().cpu().numpy() for name, place in self.places.items()}
        for node in self.file.graph.node:
            if node.op_type == "Constant" and node.output[0] in values:
                kept = node.attribute[0].t
                kept.CopyFrom(numpy_helper.from_array(values[node.output[0]], kept.name))
        self.file.graph.output[0].type.tensor_type.shape.dim[2].dim_value = self.trained[self.places[self.head[1]]].numel()
        onnx.save(self.file, path)


def run(op, i, a, of, number):
    if op == "Conv":
        stride, pads = a["strides"], a["pads"]
        return F.conv2d(of(i[0]), of(i[1]), of(i[2]) if len(i) > 2 else None, stride, pads[:2], a["dilations"], a["group"])
    if op == "BatchNormalization":
        gain, shift, mean, variance = (of(n) for n in i[1:5])
        scale = gain * torch.rsqrt(variance + a["epsilon"])
        return of(i[0]) * scale[:, None, None] + (shift - mean * scale)[:, None, None]
    if op == "HardSwish":
        return F.hardswish(of(i[0]))
    if op in ("Mul", "Add", "Sub", "Div", "Pow"):
        left, right = number(i[0]), number(i[1])
        return {"Mul": lambda: left * right, "Add": lambda: left + right, "Sub": lambda: left - right,
                "Div": lambda: left / right, "Pow": lambda: left ** right}[op]()
    x = of(i[0])
    if op == "Clip":
        return x.clamp(number(i[1]), number(i[2]))
    if op == "HardSigmoid":
        return (x * a.get("alpha", 0.2) + a.get("beta", 0.5)).clamp(0, 1)
    if op == "Relu":
        return F.relu(x)
    if op == "Sigmoid":
        return torch.sigmoid(x)
    if op == "Sqrt":
        return x.sqrt()
    if op == "GlobalAveragePool":
        return x.mean((2, 3), keepdim=True)
    if op == "AveragePool":
        return F.avg_pool2d(x, a["kernel_shape"], a["strides"], a.get("pads", [0, 0])[:2])
    if op == "ReduceMean":
        return x.float().mean(a["axes"], keepdim=bool(a.get("keepdims", 1)))
    if op == "MatMul":
        return torch.matmul(x, of(i[1]))
    if op == "Softmax":
        return x.softmax(a["axis"])
    if op == "Transpose":
        return x.permute(*a["perm"])
    if op == "Shape":
        return torch.tensor(list(x.shape))
    if op == "Cast":
        return x
    if op == "Slice":
        begin, end, axes = (of(n).tolist() for n in i[1:4])
        for b, e, axis in zip(begin, end, axes):
            x = x[(slice(None),) * axis + (slice(b, e),)]
        return x
    if op == "Squeeze":
        for axis in sorted(a.get("axes") or of(i[1]).tolist(), reverse=True):
            x = x.squeeze(axis)
        return x
    if op == "Concat":
        return torch.cat([of(n) for n in i], a["axis"])
    if op == "Reshape":
        return x.reshape([int(n) or x.shape[place] for place, n in enumerate(of(i[1]).tolist())])
    raise NotImplementedError(op)
