/**
 * Characters that look like a letter of this service's name: digits and, from Unicode's data, its letters with strokes and
 * hooks, small capitals, and confusables of other alphabets. Normalization handles accents and ornate letters.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  r: "ɍɼɽɾʀгґғᖇᴦᵲᵳᶉⲅꓣꞧꭆꭇꭈꭉꭋꭌꭱꮁꮢ𐓜𖼵𝼖",
  e: "3ɇɛεеҽҿᴇᶒᶓⱸⴹꓰꬲꬴꭼ𐊆𑣆𑣎",
  l: "1łƚǀȴɨɩɫɬɭʟιіӏ۱ᒪᒶᒷᛁᴌᶅⱡⲓⳑⵏꓡꓲꝇꝉꞎꬷꬸꬹꮮ𐊊𐌉𐌠𐑃𐔦𑣃𑣒𖼖𖼨𝼄𝼑𝼓",
  i: "ıɪᵻᵼᶖꙇꭵ𝼚ꮖ",
  s: "5ƽȿʂѕտᵴᶊẜẝꓢꜱꞩꟊꮥꮪ𐊖𐑈𑣁𖼺𝼞",
  c: "ƈȼɕςσсҫᴄⲥꓚꞓꞔꮯ𐊢𐌂𐐽𐔜𑣩𑣲𝼝",
  p: "ƥρрᑭᑶᑷᒆᴘᵱᵽᶈⲣꓑꝑꝓꝕꮲ𐊕",
  t: "7ŧƫƭȶʈτтҭᴛᵵⱦⲧꓔꭲ𐊗𐊱𐌕𑣜𖼊𝼉",
  o: "0",
  a: "4",
  b: "8",
};
/** Maps each look-alike to its letter; i and l are one. */
const letterOf = new Map([
  ...Object.entries(lookAlikes).flatMap(([letter, others]) =>
    Array.from(others, (other) => [other, letter === "i" ? "l" : letter] as const),
  ),
  ["i", "l"] as const,
]);

/** Letters in black circles, in black squares and of flags, which normalization leaves alone. Each row begins with A. */
const emblems = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu;
const emblemRows = [0x1f1e6, 0x1f170, 0x1f150];

function letterOfEmblem(emblem: string): string {
  const code = emblem.codePointAt(0)!;
  return String.fromCharCode("a".charCodeAt(0) + code - emblemRows.find((first) => first <= code)!);
}

/** A text as it looks at a glance: lower case, without accents, signs and spaces, one letter for all that look like it. */
export const outlineOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(emblems, letterOfEmblem)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/./gu, (sign) => letterOf.get(sign) ?? sign)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");

const brand = outlineOf("reelscript");

/** True if a text reads as if it named this service. */
export const namesService = (text: string): boolean => outlineOf(text).includes(brand);
