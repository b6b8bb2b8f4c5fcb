"""Reads a GGUF of any quantisation with the dequantisers of the ggml library itself, and writes a LoRA adapter as one."""

import ctypes
import struct

import numpy as np
import torch

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
F32, Q8_0 = 0, 8
BLOCK = 32
ALIGNMENT = 32


class TypeTraits(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("block", ctypes.c_int64),
        ("interleave", ctypes.c_int64),
        ("size", ctypes.c_size_t),
        ("is_quantized", ctypes.c_bool),
        ("to_float", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)),
    ]


class Gguf:
    def __init__(self, path: str, library: str):
        self.data = np.memmap(path, mode="r")
        self.at = 8
        count, pairs = self.take("Q"), self.take("Q")
        self.facts = {}
        for _ in range(pairs):
            key = self.string()
            self.facts[key] = self.value(self.take("I"))
        self.tensors = {}
        for _ in range(count):
            name = self.string()
            shape = [self.take("Q") for _ in range(self.take("I"))]
            self.tensors[name] = (shape[::-1], self.take("I"), self.take("Q"))
        self.start = -(-self.at // ALIGNMENT) * ALIGNMENT
        ggml = ctypes.CDLL(library)
        ggml.ggml_get_type_traits.restype = ctypes.POINTER(TypeTraits)
        self.traits = ggml.ggml_get_type_traits

    def take(self, kind: str):
        size = struct.calcsize("<" + kind)
        (value,) = struct.unpack("<" + kind, self.data[self.at : self.at + size].tobytes())
        self.at += size
        return value

    def string(self) -> str:
        size = self.take("Q")
        self.at += size
        return self.data[self.at - size : self.at].tobytes().decode("utf-8", "replace")

    def value(self, kind: int):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            inner, size = self.take("I"), self.take("Q")
            return [self.value(inner) for _ in range(size)]
        return self.take(SCALARS[kind])

    def tensor(self, name: str) -> torch.Tensor:
        shape, kind, offset = self.tensors[name]
        count = int(np.prod(shape))
        traits = self.traits(kind).contents
        size = count // traits.block * traits.size
        raw = np.ascontiguousarray(self.data[self.start + offset : self.start + offset + size])
        if kind == F32:
            return torch.from_numpy(raw.view(np.float32).copy()).view(*shape)
        out = np.empty(count, np.float32)
        traits.to_float(raw.ctypes.data, out.ctypes.data, count)
        return torch.from_numpy(out).view(*shape)


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def blocks(tensor: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Q8_0: 32 neighbours share a scale of 16 bits."""
    values = tensor.detach().float().reshape(-1, BLOCK)
    scale = (values.abs().amax(1, keepdim=True) / 127).half()
    return scale, (values / scale.float().clamp(min=1e-12)).round().clamp(-127, 127).to(torch.int8)


def rounded(tensor: torch.Tensor) -> torch.Tensor:
    scale, values = blocks(tensor)
    return (scale.float() * values.float()).view(tensor.shape)


def write_adapter(path: str, alpha: float, tensors: dict[str, torch.Tensor]) -> None:
    facts = [("general.type", "adapter"), ("general.architecture", "llama"), ("adapter.type", "lora")]
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(facts) + 1)
    for key, value in facts:
        head += text(key) + struct.pack("<I", STRING) + text(value)
    head += text("adapter.lora.alpha") + struct.pack("<If", 6, alpha)
    bodies, offset = [], 0
    for name, tensor in tensors.items():
        scale, values = blocks(tensor)
        body = np.concatenate([scale.cpu().numpy().view(np.int8), values.cpu().numpy()], 1).tobytes()
        rows, columns = tensor.shape
        head += text(name) + struct.pack("<IQQIQ", 2, columns, rows, Q8_0, offset)
        padded = body + b"\0" * (-len(body) % ALIGNMENT)
        bodies.append(padded)
        offset += len(padded)
    with open(path, "wb") as file:
        file.write(head + b"\0" * (-len(head) % ALIGNMENT))
        for body in bodies:
            file.write(body)
