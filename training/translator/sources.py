"""Which texts are trained on: settings.json, and with TRANSLATOR_LICENSED=1 only those whose licence is stated.

usage: sources.py   prints the sources that are left out
"""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def settings_of():
    with open(os.path.join(HERE, "settings.json"), encoding="utf8") as f:
        settings = json.load(f)
    if os.environ.get("TRANSLATOR_LICENSED") == "1":
        unlicensed = settings["unlicensed"]
        settings["excluded"] = settings["excluded"] + unlicensed
        for kind in settings["english"]:
            kind["sources"] = [x for x in kind["sources"] if x not in unlicensed]
        settings["weights"] = {x: w for x, w in settings["weights"].items() if x not in unlicensed}
    return settings


if __name__ == "__main__":
    print("\n".join(settings_of()["excluded"]))
