"""Words of a page in, what each of them is out: attention whose only order is how far words stand from each other."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from features import GRAMS, LEXICON, NUMBERS, SHAPES, WORDS
from tags import KINDS, TAGS

BUCKETS = 40
LINK = 32


def bucket(distance):
    """Signed and logarithmic: near ones are told apart finely."""
    size = torch.log1p(distance.abs() * 400) * ((BUCKETS // 2 - 1) / math.log1p(400))
    return (torch.sign(distance) * size.clamp(max=BUCKETS // 2 - 1) + BUCKETS // 2).long()


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, bias):
        size, count, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(size, count, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + self.out(seen.transpose(1, 2).reshape(size, count, width))
        return x + self.down(F.relu(self.up(self.norm2(x))))


class Tagger(nn.Module):
    def __init__(self, width=192, layers=6, heads=6, inner=96):
        super().__init__()
        self.gram, self.word, self.shape = nn.Embedding(GRAMS, inner, padding_idx=0), nn.Embedding(WORDS, inner, padding_idx=0), nn.Embedding(SHAPES, inner, padding_idx=0)
        self.meaning = nn.Embedding(4 * len(LEXICON.meanings), inner)
        self.inward = nn.Linear(3 * inner, width)
        self.number = nn.Linear(NUMBERS, width)
        self.place = nn.Sequential(nn.Linear(4 * 16, width), nn.ReLU(), nn.Linear(width, width))
        self.norm = nn.LayerNorm(width)
        self.across, self.down, self.left, self.right = (nn.Embedding(BUCKETS, heads) for _ in range(4))
        for table in (self.gram, self.word, self.shape, self.meaning):
            nn.init.normal_(table.weight, std=0.05)
        for table in (self.across, self.down, self.left, self.right):
            nn.init.zeros_(table.weight)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        self.tag, self.kind, self.first = nn.Linear(width, len(TAGS)), nn.Linear(2 * width, len(KINDS)), nn.Linear(2 * width, 2)
        #: Asking and answering for rows, then for captions.
        self.link = nn.Linear(width, 4 * LINK)
        self.register_buffer("waves", 2.0 ** torch.arange(8) * math.pi * 0.5)
        self.register_buffer("slots", torch.arange(4) * len(LEXICON.meanings))

    def looked_up(self, table, index):
        # Millions of pairs share forty rows, whose gradients a look-up would add one after the other.
        if not self.training:
            return table(index)
        is_in = index.unsqueeze(-1) == torch.arange(BUCKETS, device=index.device)
        return is_in.to(torch.bfloat16) @ table.weight.to(torch.bfloat16)

    def forward(self, grams, words, shapes, meanings, numbers, boxes, mask=None, forget=0.0):
        if forget and self.training:
            words = words * (torch.rand(words.shape, device=words.device) > forget)
            meanings = meanings * (torch.rand(meanings.shape[:2], device=words.device) > forget / 2).unsqueeze(-1)
        shown = (grams > 0).unsqueeze(-1)
        spelled = (self.gram(grams) * shown).sum(2) / shown.sum(2).clamp(min=1)
        x = self.inward(torch.cat([spelled, self.word(words) + self.shape(shapes), self.meaning(meanings + self.slots).sum(2)], -1))
        waves = boxes.unsqueeze(-1) * self.waves
        x = self.norm(x + self.number(numbers) + self.place(torch.cat([waves.sin(), waves.cos()], -1).flatten(2)))
        apart = lambda v: v.unsqueeze(1) - v.unsqueeze(2)
        middle, level = (boxes[..., 0] + boxes[..., 2]) / 2, (boxes[..., 1] + boxes[..., 3]) / 2
        ways = ((self.across, middle), (self.down, level), (self.left, boxes[..., 0]), (self.right, boxes[..., 2]))
        bias = sum(self.looked_up(table, bucket(apart(at))) for table, at in ways).permute(0, 3, 1, 2)
        if mask is not None:
            bias = bias.masked_fill(~mask[:, None, None, :], -1e4)
        bias = bias.to(torch.bfloat16 if torch.is_autocast_enabled() else x.dtype)
        for block in self.blocks:
            x = block(x, bias)
        x = self.last(x)
        kept = x if mask is None else x * mask.unsqueeze(-1)
        count = x.shape[1] if mask is None else mask.sum(1, keepdim=True).clamp(min=1)
        highest = (x if mask is None else x.masked_fill(~mask.unsqueeze(-1), -1e4)).amax(1)
        whole = torch.cat([kept.sum(1) / count, highest], -1)
        return self.tag(x), self.kind(whole), self.first(whole), self.link(x).view(*x.shape[:2], 4, LINK)
