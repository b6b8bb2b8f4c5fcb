/** A tag as it opens, in small letters. */
export interface OpenTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

type Declarations = ReadonlyMap<string, string>;

interface Rule {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  /** More stands in the selector than one element's own marks, so that only some of those it names are meant. */
  readonly isPartial: boolean;
  readonly declarations: Declarations;
}

/** What an element looks like by itself; a colour that cannot be told is "unknown". */
export interface Look {
  readonly isGone: boolean;
  readonly color: Color | undefined;
  readonly background: Color | undefined;
  /** It stands on lines of its own, beside what comes before and after it, or in the line as words do. */
  readonly place: "block" | "beside" | undefined;
  /** Its children stand beside each other. */
  readonly isRow: boolean;
}

export type Color = readonly [red: number, green: number, blue: number] | "none" | "unknown";

const white: Color = [255, 255, 255];
const named: Readonly<Record<string, Color>> = { white, black: [0, 0, 0], transparent: "none" };
const maxRules = 5000;
const longestSheet = 500_000;

/** What an element must have for a rule to be looked at. */
function markOf({ name, id, classes }: Rule): string {
  return classes[0] !== undefined ? `.${classes[0]}` : id !== undefined ? `#${id}` : (name ?? "*");
}

/** Reads the style sheets of a page, and says what its tags look like. */
export function readStyles(html: string): (tag: OpenTag) => Look {
  const isStyledElsewhere = /<link\b[^>]*\bstylesheet\b/i.test(html);
  const rules = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)]
    .flatMap(([, sheet]) => rulesOf(sheet!.slice(0, longestSheet)))
    .slice(0, maxRules);
  const byMark = new Map<string, Rule[]>();
  for (const rule of rules) byMark.set(markOf(rule), [...(byMark.get(markOf(rule)) ?? []), rule]);
  const known = new Map<string, Look>();
  const lookOf = (tag: OpenTag): Look => {
    const { attributes } = tag;
    const id = attributes.get("id");
    const classes = new Set((attributes.get("class") ?? "").split(/\s+/));
    const own = declarationsOf(attributes.get("style") ?? "");
    const fitting = ["*", tag.name, `#${id}`, ...[...classes].map((name) => `.${name}`)]
      .flatMap((mark) => byMark.get(mark) ?? [])
      .filter(
        (rule) =>
          (rule.name === undefined || rule.name === "*" || rule.name === tag.name) &&
          (rule.id === undefined || rule.id === id) &&
          rule.classes.every((name) => classes.has(name)),
      );
    const sure = new Map(fitting.filter((rule) => !rule.isPartial).flatMap((rule) => [...rule.declarations]));
    for (const [property, value] of own) sure.set(property, value);
    const maySay = (property: string): boolean =>
      isStyledElsewhere || fitting.some((rule) => rule.isPartial && rule.declarations.has(property));
    const color = colorOf(sure.get("color") ?? fontColor(tag), true);
    const background = colorOf(
      sure.get("background-color") ?? sure.get("background") ?? attributes.get("bgcolor"),
      false,
    );
    return {
      isGone: attributes.has("hidden") || isGone(sure),
      color: maySay("color") && !own.has("color") ? "unknown" : color,
      background: maySay("background") || maySay("background-color") ? "unknown" : background,
      place: placeOf(sure),
      isRow: /flex|grid/.test(sure.get("display") ?? "") && !/column/.test(sure.get("flex-direction") ?? ""),
    };
  };
  // The elements of a page are of a few kinds.
  return (tag) => {
    const kind = JSON.stringify([tag.name, ...telling.map((name) => tag.attributes.get(name))]);
    const look = known.get(kind) ?? lookOf(tag);
    known.set(kind, look);
    return look;
  };
}

/** The attributes that say what an element looks like. */
const telling = ["id", "class", "style", "hidden", "bgcolor", "color"];

function placeOf(style: Declarations): Look["place"] {
  const display = style.get("display") ?? "";
  if (/^(?:inline-|table-cell)/.test(display) || /left|right/.test(style.get("float") ?? "")) return "beside";
  return /^(?:block|flex|grid|table|table-row|list-item)$/.test(display) ? "block" : undefined;
}

const nearlySame = 16;

/** Print in the colour of its paper. */
export function isUnseen(color: Color | undefined, background: Color | undefined): boolean {
  if (color === undefined || color === "unknown" || background === "unknown") return false;
  if (color === "none") return true;
  const paper = background === undefined || background === "none" ? white : background;
  return color.every((value, index) => Math.abs(value - Number(paper[index])) < nearlySame);
}

/** display:none, nothing to see through, letters of a pixel, no height, far off the page. */
function isGone(style: Declarations): boolean {
  const is = (property: string, pattern: RegExp): boolean => pattern.test(style.get(property) ?? "");
  const isCut = is("overflow", /hidden|clip/) || is("overflow-y", /hidden|clip/);
  return (
    is("display", /^none$/) ||
    is("visibility", /^(?:hidden|collapse)$/) ||
    is("opacity", /^(?:0*\.?0+|0%)$/) ||
    is("font-size", /^(?:0|(?:[01](?:\.\d+)?|\.\d+)(?:px|pt)|0?\.0\d*r?em|0(?:px|pt|r?em|%))$/) ||
    is("transform", /scale\(0(?:\.0+)?\)/) ||
    is("clip", /rect\(0(?:px)?[, ]+0(?:px)?[, ]+0(?:px)?[, ]+0(?:px)?\)/) ||
    (isCut && ["height", "max-height", "width"].some((side) => is(side, /^0(?:px|pt|em|%)?$/))) ||
    ["left", "top", "right", "text-indent", "margin-left"].some((side) =>
      is(side, /^-\d{3,}(?:\.\d+)?(?:px|pt|r?em|%|vw)/),
    )
  );
}

function rulesOf(sheet: string): Rule[] {
  // What holds for some screens only is left out, with all that stands inside it.
  const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, "").replace(/@[\w-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors, body]) => {
    const declarations = declarationsOf(body!);
    return selectors!.split(",").map((selector): Rule => {
      const parts = selector.trim().split(/[\s>+~]+/);
      const last = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)(.*)$/i.exec(parts.at(-1) ?? "");
      const marks = last?.[2] ?? "";
      return {
        name: last?.[1]?.toLowerCase(),
        id: /#([\w-]+)/.exec(marks)?.[1],
        classes: [...marks.matchAll(/\.([\w-]+)/g)].map(([, name]) => name!),
        isPartial: parts.length > 1 || (last?.[3] ?? "") !== "",
        declarations,
      };
    });
  });
}

function declarationsOf(text: string): Declarations {
  return new Map(
    text
      .toLowerCase()
      .split(";")
      .map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [
          line.slice(0, Math.max(0, colon)).trim(),
          line
            .slice(colon + 1)
            .replace("!important", "")
            .trim(),
        ];
      })
      .filter(([property]) => property !== ""),
  );
}

const fontColor = (tag: OpenTag): string | undefined => (tag.name === "font" ? tag.attributes.get("color") : undefined);

/** The colour that a declaration begins with; pictures, gradients and names of colours are not told. */
function colorOf(value: string | undefined, isPrint: boolean): Color | undefined {
  if (value === undefined) return undefined;
  const text = value.trim().toLowerCase();
  if (text === "inherit" || text === "initial") return undefined;
  if (!isPrint && (text === "none" || text === "")) return undefined;
  if (/url\(|gradient|var\(/.test(text)) return "unknown";
  const word = text.split(/\s+(?![^(]*\))/)[0]!;
  const hex = /^#?([\da-f]{6}|[\da-f]{3})$/.exec(word)?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Color;
  }
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]+%?))?\s*\)$/.exec(word);
  if (rgb)
    return rgb[4] !== undefined && Number.parseFloat(rgb[4]) === 0
      ? "none"
      : [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  return named[word] ?? "unknown";
}
