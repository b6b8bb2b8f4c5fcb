"""Copies the fonts that lines are drawn with into a folder.  usage: fonts.py FOLDER   (Debian's packages: see README.md)"""
import glob
import os
import re
import shutil
import sys

from PIL import ImageFont

# Signs and ornaments, and cuts that no till, invoice or form is printed in.
LEFT_OUT = re.compile(r"Dingbats|Symbol|[Mm]ath|D050|Emoji|tlwg|Chess|[Kk]eyboard|Biolinum_K|LinLibertine_\w*Z|Initials|Thin|UltraLight|Hairline|Z003|"
                      r"chorus|opens_|HeavyItalic|MediumItalic|SemiboldItalic|BoldOblique|BdIta|BoldItalic|bolditalic|BlackItalic|LightItalic|OCRB[EFSX]|"
                      r"LeagueMono-(Wide|Extended|\w*(Semi|Extra|Medium))")
NOTO = re.compile(r"NotoSans-(Regular|Bold|Italic)\.|NotoSansMono-(Regular|Bold)\.|NotoSerif-(Regular|Bold|Italic)\.|NotoMono")


def is_wanted(path):
    name = os.path.basename(path)
    if "/noto/" in path:
        return bool(NOTO.match(name))
    if "/cmu/" in path:
        return bool(re.match(r"cmun(rm|tt|ss|bx|it|tb|btl)\.", name))
    return not LEFT_OUT.search(name)


def can_draw(path):
    try:
        for size in (11, 13, 15, 20, 28, 32, 41, 52):
            ImageFont.truetype(path, size).getmask("Abg")
        return True
    except OSError:
        return False


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    found = [f for root in ("/usr/share/fonts", "/usr/share/texmf/fonts") for f in glob.glob(root + "/**/*", recursive=True)]
    for path in sorted({os.path.realpath(f) for f in found if f.endswith((".ttf", ".otf"))}):
        if is_wanted(path) and can_draw(path):
            shutil.copy(path, folder)


if __name__ == "__main__":
    main()
