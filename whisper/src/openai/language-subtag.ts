const whisperLanguages = [
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml",
  "cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am",
  "yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue",
]
  .join(" ")
  .split(" ");

/** Names that Whisper's own list has and today's English does not. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["castilian", "es"],
  ["valencian", "ca"],
  ["flemish", "nl"],
  ["mandarin", "zh"],
  ["haitian", "ht"],
  ["letzeburgesch", "lb"],
  ["pushto", "ps"],
  ["panjabi", "pa"],
  ["moldavian", "ro"],
  ["moldovan", "ro"],
  ["sinhalese", "si"],
  ["myanmar", "my"],
  ["nynorsk", "nn"],
  ["tagalog", "tl"],
]);

const languageByName: ReadonlyMap<string, string> = new Map([...englishNames(), ...otherNames]);

/** The primary subtag of what an endpoint calls a language: "english", "en", "en-US"; `null` when it names none. */
export function languageSubtag(reported: string): string | null {
  const name = reported.trim().toLowerCase();
  const byName = languageByName.get(name);
  if (byName !== undefined) return byName;
  const subtag = /^([a-z]{2,3})(?:[-_]|$)/.exec(name)?.[1];
  if (subtag === undefined || subtag === "und") return null;
  return subtag === "jw" ? "jv" : subtag;
}

function englishNames(): [string, string][] {
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  return whisperLanguages.map((subtag) => [(names.of(subtag) ?? subtag).toLowerCase(), subtag]);
}
