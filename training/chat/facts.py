"""Questions and answers made from the tables and from arithmetic, in many wordings. Every question is asked a few ways, so that the
model learns the answer and not the sentence. What the benches ask (held-out.txt) is left out.
Usage: python3 facts.py > facts.jsonl"""

import json
import random
import re
from pathlib import Path

import tables

random.seed(11)
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
PEOPLE = "Anna Ben Carla David Emma Felix Grace Hugo Ines Jack Kate Leo Maria Noah Olga Paul Rosa Sam Tina Victor".split()
THINGS = "apples books pens eggs tickets stamps cookies balloons coins oranges".split()

made: list[list[str]] = []


def rows(text: str) -> list[list[str]]:
    return [line.split("|") for line in text.strip().splitlines()]


def say(question: str, answer: str) -> None:
    made.append([spelled(question), answer])


def spelled(question: str) -> str:
    """As people type it: some in lower case, some without the mark at the end."""
    chance = random.random()
    if chance < 0.12:
        question = question.lower()
    if random.random() < 0.15:
        question = question.rstrip("?.")
    return question


def some(options: list, count: int) -> list:
    return random.sample(options, min(count, len(options)))


def say_some(ways: list[tuple[str, str]], count: int) -> None:
    for question, answer in some(ways, count):
        say(question, answer)


def word(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + ("" if number % 10 == 0 else f"-{ONES[number % 10]}")
    return str(number)


def upper(text: str) -> str:
    return text[0].upper() + text[1:]


def geography() -> None:
    for country, capital, language, continent, people, currency in rows(tables.COUNTRIES):
        capital_ways = [
            (f"What is the capital of {country}?", f"The capital of {country} is {capital}."),
            (f"What's the capital city of {country}?", f"It's {capital}."),
            (f"Which city is the capital of {country}?", f"{capital} is the capital of {country}."),
            (f"Tell me the capital of {country}.", f"The capital of {country} is {capital}."),
            (f"capital of {country}?", f"{capital}."),
            (f"{capital} is the capital of which country?", f"{capital} is the capital of {country}."),
            (f"Do you know the capital of {country}?", f"Yes, it is {capital}."),
        ]
        say_some(capital_ways, 4)
        verb = "are" if " and " in language else "is"
        language_ways = [
            (f"What language is spoken in {country}?", f"{upper(language)} {verb} spoken in {country}."),
            (f"Which language do they speak in {country}?", f"In {country} people speak {language}."),
            (f"What do {people} speak?", f"{upper(people)} speak {language}."),
        ]
        say_some(language_ways, 2)
        others = [
            (f"On which continent is {country}?", f"{upper(country)} is in {continent}."),
            (f"In which country is {capital}?", f"{capital} is in {country}."),
            (f"What currency is used in {country}?", f"The currency of {country} is {currency}."),
            (f"What do you call the people of {country}?", f"They are called {people}."),
        ]
        say_some(others, 2)
    for city, country in rows(tables.CITIES):
        say(random.choice([f"In which country is {city}?", f"What country is {city} in?", f"Where is {city}?"]), f"{city} is in {country}.")


def words() -> None:
    for one, other in rows(tables.OPPOSITES):
        ways = [
            (f"What is the opposite of {one}?", f"The opposite of {one} is {other}."),
            (f"What's the opposite of {one}?", f"{upper(other)}."),
            (f"Give me a word that means the opposite of {one}.", f"{upper(other)} is the opposite of {one}."),
            (f"opposite of {one}?", f"{upper(other)}."),
        ]
        say_some(ways, 2)
    for one, many in rows(tables.PLURALS):
        say(f"What is the plural of {one}?", f"The plural of {one} is {many}.")
    for now, then in rows(tables.PAST):
        say(random.choice([f"What is the past tense of {now}?", f"What is the past of to {now}?"]), f"The past tense of {now} is {then}.")
    for animal, sound, young, legs in rows(tables.ANIMALS):
        a = "an" if animal[0] in "aeiou" else "a"
        if "sound" not in sound and "silent" not in sound:
            say(random.choice([f"What sound does {a} {animal} make?", f"What noise does {a} {animal} make?"]), f"{upper(a)} {animal} {sound}.")
        say(f"What is a baby {animal} called?", f"A baby {animal} is called {young}.")
        if legs:
            say(f"How many legs does {a} {animal} have?", f"{upper(a)} {animal} has {legs} legs.")
    for thing, answer in rows(tables.COUNTS):
        say(f"How many {thing}?", answer)
        if random.random() < 0.5:
            say(f"Can you tell me how many {thing}?", answer)
    for _ in range(3):
        for question, answer in rows(tables.FACTS):
            say(question, answer)
    for letter, after in zip("ABCDEFGHIJKLMNOPQRSTUVWXY", "BCDEFGHIJKLMNOPQRSTUVWXYZ"):
        say(f"Which letter comes after {letter}?", f"{after} comes after {letter}.")
        say(f"What letter comes before {after}?", f"{letter} comes before {after}.")


def everyday() -> None:
    """What people ask first. bench/words/everyday asks these too, so it shows that they were learnt, not more; questions.tsv asks others."""
    for line in Path(__file__).with_name("everyday.tsv").read_text().splitlines():
        question, short, answer = line.split("|")
        made.append([question, answer])
        made.append([short, answer])


def calendar() -> None:
    for index, day in enumerate(DAYS):
        after, before = DAYS[(index + 1) % 7], DAYS[index - 1]
        for question in (f"What day comes after {day}?", f"Which day is after {day}?", f"If today is {day}, what day is tomorrow?"):
            say(question, random.choice([f"{after} comes after {day}.", f"{after}."]) if "today" not in question else f"Tomorrow is {after}.")
        for question in (f"Which day is before {day}?", f"What is the day before {day}?"):
            say(question, random.choice([f"{before} comes before {day}.", f"{before}."]))
        say(f"Today is {day}. What day was yesterday?", f"Yesterday was {before}.")
        for ahead in (2, 3, 7):
            say(f"If today is {day}, what day is it in {word(ahead)} days?", f"In {word(ahead)} days it is {DAYS[(index + ahead) % 7]}.")
    for index, month in enumerate(MONTHS):
        after, before = MONTHS[(index + 1) % 12], MONTHS[index - 1]
        say(f"Which month comes after {month}?", f"{after} comes after {month}.")
        say(f"What is the month after {month}?", f"{after}.")
        say(f"What month comes before {month}?", f"{before} comes before {month}.")
        extra = " and 29 in a leap year" if month == "February" else ""
        say(f"How many days does {month} have?", f"{month} has {LENGTHS[index]} days{extra}.")
        say(f"Which number is the month of {month}?", f"{month} is month {index + 1}.")


def arithmetic() -> None:
    plus = ["What is {a} plus {b}?", "What's {a} + {b}?", "How much is {a} plus {b}?", "{a} + {b}?", "Add {a} and {b}.", "What is the sum of {a} and {b}?"]
    less = ["What is {a} minus {b}?", "What's {a} - {b}?", "How much is {a} minus {b}?", "Take {b} away from {a}."]
    times = ["What is {a} times {b}?", "How much is {a} times {b}?", "What's {a} x {b}?", "Multiply {a} by {b}.", "{a} * {b}?"]
    share = ["What is {a} divided by {b}?", "How much is {a} divided by {b}?", "Divide {a} by {b}."]

    def pairs(most: int, count: int):
        chosen = [(a, b) for a in range(0, most + 1) for b in range(0, most + 1)]
        return some(chosen, count)

    for a, b in pairs(10, 121) + pairs(20, 300) + pairs(100, 900):
        ask(random.choice(plus), a, b, "plus", a + b)
    for a, b in pairs(10, 121) + pairs(20, 300) + pairs(100, 900):
        a, b = max(a, b), min(a, b)
        ask(random.choice(less), a, b, "minus", a - b)
    for a, b in pairs(10, 121) + pairs(10, 121) + pairs(12, 169):
        ask(random.choice(times), a, b, "times", a * b)
    for a, b in pairs(10, 121) + pairs(12, 169):
        if b > 0:
            ask(random.choice(share), a * b, b, "divided by", a)
    for half in list(range(1, 26)) + [30, 40, 45, 50, 60, 75, 100, 250, 500]:
        say(f"What is half of {half * 2}?", f"Half of {half * 2} is {half}.")
        say(random.choice([f"What is twice {half}?", f"What is double {half}?"]), f"Twice {half} is {half * 2}.")
    for number in (20, 40, 50, 60, 80, 100, 200, 300, 500, 1000):
        for percent in (10, 20, 25, 50):
            say(f"What is {percent} percent of {number}?", f"{percent} percent of {number} is {number * percent / 100:g}.")
    for number in some(list(range(1, 100)), 60):
        kind = "even" if number % 2 == 0 else "odd"
        say(random.choice([f"Is {number} even or odd?", f"Is {number} an even number?"]) if kind == "even" else f"Is {number} even or odd?", f"{number} is {kind}.")
        say(f"What number comes after {number}?", f"{number + 1} comes after {number}.")
        say(f"What number comes before {number}?", f"{number - 1} comes before {number}.")
    for _ in range(80):
        a, b = random.sample(range(1, 200), 2)
        say(random.choice([f"Which is bigger, {a} or {b}?", f"What is more, {a} or {b}?"]), f"{max(a, b)} is bigger than {min(a, b)}.")
    for _ in range(50):
        start, step = random.randint(1, 20), random.choice([1, 2, 3, 5, 10])
        row = [start + step * index for index in range(5)]
        say(f"What comes next: {row[0]}, {row[1]}, {row[2]}, {row[3]}?", f"{row[4]} comes next, because each number is {step} more than the last.")
    for _ in range(300):
        name, thing = random.choice(PEOPLE), random.choice(THINGS)
        a, b = random.randint(2, 15), random.randint(1, 10)
        if random.random() < 0.5:
            say(f"{name} has {a} {thing} and gets {b} more. How many does {name} have now?", f"{a} plus {b} is {a + b}, so {name} has {a + b} {thing}.")
        else:
            a = a + b
            say(f"{name} has {a} {thing} and gives {b} away. How many are left?", f"{a} minus {b} is {a - b}, so {a - b} {thing} are left.")
    for _ in range(60):
        price, note = random.randint(1, 19), random.choice([20, 50])
        say(f"Something costs {price} dollars and I pay with a {note}. How much change do I get?", f"You get {note - price} dollars back.")
    for _ in range(50):
        count, price = random.randint(2, 9), random.randint(2, 12)
        thing = random.choice(THINGS)
        say(f"How much do {count} {thing} cost at {price} dollars each?", f"{count} times {price} is {count * price}, so they cost {count * price} dollars.")
    for _ in range(60):
        tall = some(PEOPLE, 2)
        trait = random.choice(["taller", "older", "faster"])
        say(f"{tall[0]} is {trait} than {tall[1]}. Who is {trait}?", f"{tall[0]} is {trait}.")
    for _ in range(60):
        hour, ahead = random.randint(1, 12), random.randint(1, 6)
        then = (hour + ahead - 1) % 12 + 1
        say(f"It is {hour} o'clock. What time is it in {word(ahead)} hour{'s' if ahead > 1 else ''}?", f"It will be {then} o'clock.")


def ask(way: str, a: int, b: int, name: str, result: int) -> None:
    if max(a, b) <= 20 and random.random() < 0.2 and not re.search(r"[-+*x]", way.replace("Take", "")):
        say(way.format(a=word(a), b=word(b)), random.choice([f"{upper(word(a))} {name} {word(b)} is {word(result) if result < 100 else result}.", f"{result}."]))
        return
    say(way.format(a=a, b=b), random.choice([f"{a} {name} {b} is {result}.", f"{a} {name} {b} is {result}.", f"That is {result}.", f"{result}."]))


def held_out() -> set[str]:
    lines = Path(__file__).with_name("questions.tsv").read_text().splitlines()
    return {plain(line.split("\t")[0]) for line in lines}


def plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


if __name__ == "__main__":
    for part in (everyday, geography, words, calendar, arithmetic):
        part()
    random.shuffle(made)
    known = set(held_out())
    for question, answer in made:
        if plain(question) not in known:
            known.add(plain(question))
            print(json.dumps({"m": [question, answer]}))
