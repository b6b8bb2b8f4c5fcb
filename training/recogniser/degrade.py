"""What paper, printers, scanners and cameras do to a line, for a whole batch on the GPU: ink [n, 64, w] in, picture [n, 3, 48, 3w/4] out."""
import math

import torch
from torch.nn import functional as F


def _rand(n, device, low=0.0, high=1.0):
    return torch.rand(n, 1, 1, 1, device=device) * (high - low) + low


def _some(n, device, share):
    return (torch.rand(n, 1, 1, 1, device=device) < share).float()


def _blobs(n, height, width, cell, device):
    """Noise that changes slowly, about 0, by cells of so many pixels."""
    small = torch.randn(n, 1, max(2, height // cell[0] + 2), max(2, width // cell[1] + 2), device=device)
    return F.interpolate(small, (height, width), mode="bilinear", align_corners=False)


def _blur(x, sigma_y, sigma_x):
    """By a kernel of its own for each line."""
    n, c, h, w = x.shape
    at = torch.arange(-4, 5, device=x.device).float()

    def kernel(sigma):
        k = torch.exp(-(at[None] ** 2) / (2 * sigma.view(-1, 1).clamp(min=0.05) ** 2))
        return k / k.sum(1, keepdim=True)

    flat = x.reshape(1, n * c, h, w)
    ky = kernel(sigma_y).repeat_interleave(c, 0).view(n * c, 1, 9, 1)
    kx = kernel(sigma_x).repeat_interleave(c, 0).view(n * c, 1, 1, 9)
    flat = F.conv2d(F.pad(flat, (0, 0, 4, 4), mode="replicate"), ky, groups=n * c)
    flat = F.conv2d(F.pad(flat, (4, 4, 0, 0), mode="replicate"), kx, groups=n * c)
    return flat.view(n, c, h, w)


_dct = torch.tensor([[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(1 / 8) if u == 0 else 0.5) for x in range(8)] for u in range(8)])
_steps = torch.tensor([[16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
                       [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92], [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]]) / 255.0


def _jpeg(x, strength):
    """Rounds the frequencies of blocks of 8 by 8, as JPEG does."""
    n, c, h, w = x.shape
    d, steps = _dct.to(x.device), _steps.to(x.device)
    blocks = x.reshape(n, c, h // 8, 8, w // 8, 8).permute(0, 1, 2, 4, 3, 5)
    waves = d @ blocks @ d.T
    q = (steps * strength.view(n, 1, 1, 1, 1, 1)).clamp(min=1e-4)
    back = d.T @ (torch.round(waves / q) * q) @ d
    return back.permute(0, 1, 2, 4, 3, 5).reshape(n, c, h, w)


def _coarse(x, factor):
    """As seen with fewer pixels."""
    h, w = x.shape[2:]
    small = F.interpolate(x, (max(8, int(h / factor)), max(8, int(w / factor))), mode="area")
    return F.interpolate(small, (h, w), mode="bicubic", align_corners=False)


def degrade(ink, widths):
    """`widths`: columns of each line in `ink`, the rest is filling. Returns the pictures from -1 to 1, 0 behind the line."""
    n, h, w = ink.shape
    device = ink.device
    x = ink.float().div(255).unsqueeze(1)

    # Print: letters run or are thin, heads of printers miss dots, ink is uneven.
    fat, thin = F.max_pool2d(x, 3, 1, 1), -F.max_pool2d(-x, 3, 1, 1)
    by = _rand(n, device, -0.75, 0.9) * _some(n, device, 0.55)
    x = x + (fat - x) * by.clamp(min=0) + (x - thin) * by.clamp(max=0)
    uneven = 1 - (_blobs(n, h, w, (6, 6), device) * 0.55 + _rand(n, device, -1.0, 0.2)).clamp(min=0) * _some(n, device, 0.3)
    speckle = 1 - (torch.rand(n, 1, h, w, device=device) < _rand(n, device, 0, 0.3)).float() * _some(n, device, 0.2)
    faint_rows = 1 - _rand(n, device, 0.3, 1.0) * (torch.rand(n, 1, h, 1, device=device) < 0.05).float() * _some(n, device, 0.12)
    faint_columns = 1 - _rand(n, device, 0.3, 1.0) * (torch.rand(n, 1, 1, w, device=device) < 0.03).float() * _some(n, device, 0.12)
    x = x * uneven.clamp(0, 1) * speckle * faint_rows * faint_columns

    # Lines above and below that reach into the picture; a rule under the letters, a bar at an end.
    other = x.roll(1, 0) * _some(n, device, 0.22)
    shift = int(h * (0.84 + 0.14 * torch.rand(()).item()))
    above, below = torch.zeros_like(x), torch.zeros_like(x)
    above[:, :, : h - shift], below[:, :, shift:] = other[:, :, shift:], other[:, :, : h - shift]
    x = torch.maximum(x, torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.5, above, below))
    row = torch.arange(h, device=device).view(1, 1, h, 1)
    rule_at, rule_high = _rand(n, device, 0.9, 1.0) * h, _rand(n, device, 1, 4)
    rule = ((row - rule_at).abs() < rule_high).float() * _some(n, device, 0.06)
    over = ((row - (h - rule_at)).abs() < rule_high).float() * _some(n, device, 0.03)
    column = torch.arange(w, device=device).view(1, 1, 1, w)
    bar = (column < _rand(n, device, 1, 5)).float() * _some(n, device, 0.04)
    x = torch.maximum(x, torch.maximum(torch.maximum(rule, over), bar))

    # Camera and scanner: a small turn, a bend, a lean.
    out_h, out_w = 48, w * 3 // 4
    ys = torch.linspace(-1, 1, out_h, device=device).view(1, out_h, 1).expand(n, out_h, out_w)
    xs = torch.linspace(-1, 1, out_w, device=device).view(1, 1, out_w).expand(n, out_h, out_w)
    lengths = (widths.to(device).float() * 2 / w).view(n, 1, 1)
    along = (xs + 1) / lengths
    slope = torch.randn(n, 1, 1, device=device) * 0.07
    bend = torch.randn(n, 1, 1, device=device) * 0.05 * (torch.rand(n, 1, 1, device=device) < 0.4)
    turn = 6.28 * torch.rand(n, 1, 1, device=device)
    lean = torch.randn(n, 1, 1, device=device) * 0.16 * (torch.rand(n, 1, 1, device=device) < 0.4)
    grid_y = ys * (1 + 0.06 * torch.randn(n, 1, 1, device=device)) + slope * (along - 0.5) * 2 + bend * torch.sin(along * 4 + turn)
    grid_x = xs + lean * ys * h / w
    x = F.grid_sample(x, torch.stack((grid_x, grid_y), -1), mode="bilinear", padding_mode="zeros", align_corners=False)

    factor = float(torch.rand(())) * 2.2 + 1
    x = torch.where(_some(n, device, 0.35) > 0, _coarse(x, factor).clamp(0, 1), x)
    sigma = _rand(n, device, 0.0, 1.5) * _some(n, device, 0.6)
    aside = _rand(n, device, 0.6, 1.7)
    x = _blur(x, sigma, sigma * aside)

    # Light and paper.
    paper = _rand(n, device, 0.45, 1.0)
    ink_dark = (paper - _rand(n, device, 0.18, 1.0)).clamp(min=0.0)
    light = 1 + _blobs(n, out_h, out_w, (24, 96), device) * _rand(n, device, 0, 0.12)
    grain = _blobs(n, out_h, out_w, (2, 2), device) * _rand(n, device, 0, 0.06) * _some(n, device, 0.4)
    picture = (paper * (1 - x) + ink_dark * x) * light + grain
    tint = 1 + torch.randn(n, 3, 1, 1, device=device) * 0.05 * _some(n, device, 0.5)
    coloured = _some(n, device, 0.07) * x * torch.rand(n, 3, 1, 1, device=device) * 0.6
    picture = picture * tint + coloured
    picture = picture + torch.randn(n, 1, out_h, out_w, device=device) * _rand(n, device, 0, 0.09) * _some(n, device, 0.5)
    picture = torch.where(_some(n, device, 0.05) > 0, 1 - picture, picture).clamp(0, 1)
    pressed = _jpeg(picture, _rand(n, device, 0.3, 2.2))
    picture = torch.where(_some(n, device, 0.5) > 0, pressed, picture)
    # Some grains are sharpened by the camera.
    sharp = picture + (picture - F.avg_pool2d(picture, 3, 1, 1)) * _rand(n, device, 0, 1.5)
    picture = torch.where(_some(n, device, 0.2) > 0, sharp, picture).clamp(0, 1)
    inside = (torch.arange(out_w, device=device).view(1, 1, 1, out_w) < (widths.to(device).view(n, 1, 1, 1) * 3 // 4)).float()
    return (picture * 2 - 1) * inside
