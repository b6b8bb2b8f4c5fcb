import { describe, expect, it } from "vitest";
import { countTokens } from "./count-tokens.ts";
import { requestTokens } from "./text-tokens.ts";

/** Counted by o200k_base in js-tiktoken 1.0.21. */
const counted: [string, number, string][] = [
  [
    "prose",
    193,
    "It was a bright cold day in April, and the clocks were striking thirteen. The man walked slowly through the garden, thinking about what his sister had told him the night before. Nobody had expected the letter to arrive so soon, and yet there it was, lying on the table between the teapot and the newspaper. ".repeat(
      3,
    ),
  ],
  [
    "german",
    55,
    "Die Rechnung wurde gestern verschickt, aber der Empfänger hat sie noch nicht geöffnet. Wir möchten Sie bitten, den Betrag innerhalb von vierzehn Tagen zu überweisen. Für Rückfragen stehen wir Ihnen jederzeit gerne zur Verfügung und freuen uns auf eine gute Zusammenarbeit mit Ihrem Unternehmen.",
  ],
  [
    "french",
    61,
    "Le vieil homme était assis près de la fenêtre et regardait les enfants jouer dans la cour. Il se souvenait de l'été où sa mère lui avait appris à nager dans la rivière, derrière la maison de ses grands-parents. Depuis, rien n'avait vraiment changé dans le village.",
  ],
  [
    "spanish",
    46,
    "La reunión empezó a las nueve de la mañana y terminó después del almuerzo. El director explicó que las ventas habían aumentado durante el último trimestre, pero que todavía quedaba mucho trabajo por hacer antes de que terminara el año.",
  ],
  [
    "russian",
    53,
    "Вчера вечером мы долго гуляли по набережной и разговаривали о будущем. Он рассказал мне, что собирается переехать в другой город и начать новую жизнь. Я не знала, что ответить, и просто молча смотрела на воду.",
  ],
  [
    "chinese",
    55,
    "昨天晚上我们去了一家新开的餐厅吃饭,那里的菜很好吃,价格也不贵。服务员告诉我们,他们的厨师以前在北京工作了十年。我们决定下个星期再来一次,带上我们的朋友。",
  ],
  [
    "japanese",
    52,
    "昨日の夜、新しくできたレストランに行きました。料理はとても美味しくて、値段もそれほど高くありませんでした。来週もう一度、友達と一緒に行くことにしました。",
  ],
  [
    "korean",
    44,
    "어제 저녁에 우리는 새로 생긴 식당에 갔습니다. 음식이 아주 맛있었고 가격도 비싸지 않았습니다. 다음 주에 친구들과 함께 다시 가기로 했습니다.",
  ],
  [
    "arabic",
    39,
    "ذهبنا مساء أمس إلى مطعم جديد في وسط المدينة. كان الطعام لذيذا جدا ولم تكن الأسعار مرتفعة. قررنا أن نعود في الأسبوع القادم مع أصدقائنا.",
  ],
  [
    "hindi",
    43,
    "कल शाम हम शहर के एक नए रेस्तरां में गए। खाना बहुत स्वादिष्ट था और कीमतें भी ज्यादा नहीं थीं। हमने अगले हफ्ते अपने दोस्तों के साथ फिर से आने का फैसला किया।",
  ],
  ["numbers", 45, "The invoice 2024-11-17 lists 1,250.75 EUR, 19 % VAT (237.64), total 1,488.39; order no. 4711-0815."],
  [
    "markdown",
    58,
    "## Result\n\n| name | value |\n|---|---|\n| a | 1 |\n\n- **bold** item\n- `code` item\n\n```js\nconst x = [1, 2, 3].map((n) => n * 2);\n```\n",
  ],
];

describe("counting tokens", () => {
  it.each(counted)("is within a tenth of a tokenizer's count: %s", (_name, tokens, text) => {
    expect(Math.abs(countTokens(text) / tokens - 1)).toBeLessThan(0.1);
  });

  it("takes no longer for a text without a blank", () => {
    // Quadratic work would take minutes, and the test would end by its own limit.
    expect(countTokens("a".repeat(1_000_000) + "!".repeat(1_000_000))).toBeGreaterThan(0);
  });
});

it("a single word of many megabytes is counted by its beginning", () => {
  const content = "語".repeat(8_000_000);
  expect(requestTokens({ messages: [{ role: "user", content }] })).toBeGreaterThan(4_000_000);
});
