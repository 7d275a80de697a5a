/** The part of an OpenAPI document from which fields are derived. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

interface Parameter {
  readonly name?: string;
  readonly schema?: Schema;
  /** The reference of a parameter that several operations share. */
  readonly $ref?: string;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly properties: Readonly<Record<string, Schema>> } }>
    >;
  };
}

interface Schema {
  readonly enum?: readonly string[];
  readonly default?: string;
}

/** Titles of values that are unclear by themselves. */
const titles: Readonly<Record<string, string>> = {
  tiktok: "TikTok",
  youtube: "YouTube",
  under30s: "Under 30 Seconds",
  "30to60s": "30 to 60 Seconds",
  "1to3min": "1 to 3 Minutes",
  over3min: "Over 3 Minutes",
  date: "Newest",
  posted: "Last Posted",
  engagement: "Engagement Rate",
  srt: "SubRip (SRT)",
  vtt: "WebVTT",
  "vtt-words": "WebVTT with Word Times",
  ass: "Advanced SubStation Alpha (ASS)",
  und: "No Speech",
};

const languageNames = new Intl.DisplayNames("en", { type: "language" });
const titleOf = (value: string): string =>
  titles[value] ??
  (/^[a-z]{2,3}$/.test(value) ? languageNames.of(value) : undefined) ??
  value.charAt(0).toUpperCase() + value.slice(1);

/** n8n requires long lists in alphabetical order. */
const longList = 5;

/** A field with the API parameter's values; the API's default, or its first value, is preselected. */
function choice(displayName: string, name: string, { enum: values = [], default: defaultValue }: Schema): object {
  if (values.length === 0) throw new Error(`The API has no list of values for ${name}`);
  const options = values.map((value) => ({ name: titleOf(value), value }));
  if (options.length >= longList) options.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { displayName, name, type: "options", options, default: defaultValue ?? values[0] };
}

/** The source code of the n8n node's fields for API values. */
export function n8nFields(document: object): string {
  const { paths, components } = document as Document; // safe: a parameter that is missing is found below
  const shared = ({ $ref, ...parameter }: Parameter): Parameter =>
    $ref === undefined ? parameter : (components.parameters[$ref.split("/").at(-1) ?? ""] ?? {});
  const parameter = (path: string, name: string): Schema =>
    paths[path]?.["get"]?.parameters?.map(shared).find((one) => one.name === name)?.schema ?? {};
  const language = parameter("/scripts", "language");
  // The body accepts every region; the filter only lists languages.
  const spoken = { enum: language.enum?.filter((code) => code !== "und") ?? [] };
  if (!paths["/transcribe"]?.["post"]?.requestBody?.content["application/json"]?.schema.properties["languageHint"])
    throw new Error("The API takes no languageHint");
  const fields = {
    languageHint: choice("Language Hint", "languageHint", spoken),
    language: choice("Language", "language", language),
    length: choice("Length", "length", parameter("/scripts", "length")),
    platform: choice("Platform", "platform", parameter("/scripts", "platform")),
    sort: choice("Sort By", "sort", parameter("/scripts", "sort")),
    format: choice("Format", "format", parameter("/scripts/{id}/subtitles", "format")),
  };
  return [
    "// Written by `npm run surface` from openapi.json: change scripts/n8n-fields.ts.",
    'import type { INodeProperties } from "n8n-workflow";',
    "",
    `export const apiFields = ${JSON.stringify(fields, undefined, 2)} satisfies Record<string, INodeProperties>;`,
    "",
  ].join("\n");
}
