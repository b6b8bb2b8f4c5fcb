"""What the recogniser can write: Latin letters of Europe's languages, digits, marks and signs of currencies."""
import os
import unicodedata

_plain = "".join(chr(code) for code in range(0x21, 0x7F))
_letters = (
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĀāĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĢģĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŌōŐőŒœŔŕŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŴŵŶŷŸŹźŻżŽžȘșȚț"
)
_signs = "€£¥¢₹₦₱₺₫₩₽§°ºª©®™«»–—…•·×÷±½¼¾²³µ¡¿№"
characters = _plain + _letters + _signs

# Marks that look like another one on paper count as that one.
same = str.maketrans({"‚": ",", "´": "'", "`": "'", "‹": "<", "›": ">", "−": "-", "‐": "-", "\u2011": "-", "\u00a0": " ",
                      "\u202f": " ", "\u2009": " ", "Ţ": "Ț", "ţ": "ț", "∙": "·", "●": "•", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


def first_rows(dictionary):
    """For each entry of the new dictionary (blank, characters, space) the entry of the old one to begin with, and whether that is another character."""
    places = {c: index for index, c in enumerate(dictionary)}
    rows, is_copy = [0], [False]
    for c in characters:
        plain = unicodedata.normalize("NFD", c)[0]
        likeness = {"Æ": "A", "æ": "a", "Ø": "O", "ø": "o", "ß": "B", "Đ": "D", "đ": "d", "Ð": "D", "ð": "d", "Þ": "P", "þ": "p", "Ł": "L",
                    "ł": "l", "ı": "i", "Œ": "O", "œ": "o", "₦": "N", "₱": "P", "₹": "R", "₺": "t", "₫": "d", "₩": "W", "₽": "P", "№": "N"}
        found = next((x for x in (c, plain, likeness.get(c), ".") if x in places), ".")
        rows.append(places[found])
        is_copy.append(found != c)
    return rows + [places[" "]], is_copy + [False]


def read_dictionary(path):
    lines = open(path, encoding="utf8").read().replace("\r", "").split("\n")
    return ["", *(lines[:-1] if lines[-1] == "" else lines), " "]


def write_dictionary(path):
    with open(path, "w", encoding="utf8") as file:
        file.write("".join(c + "\n" for c in characters))


if __name__ == "__main__":
    write_dictionary(os.path.join(os.path.dirname(__file__), "dictionary.txt"))
