/** Letters and digits that look like another one at a glance, and the letter that stands for all of them. */
const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  i: "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  // Cyrillic and Greek, with their sharp edges of Unicode left to normalization.
  а: "a",
  в: "b",
  с: "c",
  ԁ: "d",
  е: "e",
  һ: "h",
  і: "l",
  ӏ: "l",
  ј: "j",
  к: "k",
  м: "m",
  о: "o",
  р: "p",
  ѕ: "s",
  т: "t",
  у: "y",
  х: "x",
  α: "a",
  ε: "e",
  ι: "l",
  κ: "k",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  г: "r",
  ꮪ: "s",
  ꮯ: "c",
  ꭱ: "r",
};

/** A text as it looks at a glance: small letters without accents, signs and spaces, one letter for all that look like it. */
export const outlineOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/./gu, (sign) => lookAlikes[sign] ?? sign)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");

const brand = outlineOf("reelscript");

/** Whether a text reads as if it named this service. */
export const namesService = (text: string): boolean => outlineOf(text).includes(brand);
