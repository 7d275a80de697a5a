import { markup, type Markup } from "../../../markup/markup.ts";
import type { Parameter } from "./described-document.ts";

export interface SampledRequest {
  readonly operationId: string;
  readonly method: string;
  /** Base URL of the operations. */
  readonly server: string;
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: unknown;
}

export const sampleLanguages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;
export type SampleLanguage = keyof typeof sampleLanguages;

/** The example of an operation as a request, by language. */
export function samplesOf(request: SampledRequest): Readonly<Record<SampleLanguage, string>> {
  const url = addressOf(request);
  return { curl: curl(request, url), typescript: typescript(request), python: python(request, url) };
}

function addressOf({ server, path, parameters }: SampledRequest): string {
  const valueOf = (name: string): string => {
    const example = parameters.find((one) => one.name === name)?.example ?? name;
    return encodeURIComponent(typeof example === "string" ? example : JSON.stringify(example));
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
  const query = parameters
    .filter((one) => one.in === "query" && one.example !== undefined)
    .map(({ name }) => `${name}=${valueOf(name)}`);
  return `${server}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

function curl({ method, needsKey, body }: SampledRequest, url: string): string {
  const lines = [`curl ${method === "GET" || body !== undefined ? "" : `-X ${method} `}'${url}'`];
  if (method === "PATCH") lines[0] = `curl -X PATCH '${url}'`;
  if (needsKey) lines.push('-H "Authorization: Bearer $REELSCRIPT_API_KEY"');
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`);
  return lines.join(" \\\n  ");
}

function typescript({ operationId, parameters, body }: SampledRequest): string {
  const given = parameters.filter((one) => one.in !== "header" && one.example !== undefined);
  const input = { ...Object.fromEntries(given.map(({ name, example }) => [name, example])), ...(body as object) };
  const written = JSON.stringify(input, undefined, 2).replaceAll(/^( *)"(\w+)":/gm, "$1$2:");
  return `const answer = await client.${operationId}(${written});`;
}

function python({ method, needsKey, body }: SampledRequest, url: string): string {
  const lines = [`answer = requests.${method.toLowerCase()}(`, `    ${JSON.stringify(url)},`];
  if (needsKey) lines.push(`    headers={"Authorization": f"Bearer {os.environ['REELSCRIPT_API_KEY']}"},`);
  if (body !== undefined) lines.push(`    json=${pythonLiteral(body, "    ")},`);
  return [...lines, ")"].join("\n");
}

/** JSON, with the names that Python has for its constants. */
const pythonLiteral = (value: unknown, indent: string): string =>
  JSON.stringify(value, undefined, 4)
    .replaceAll(/(?<=^ *(?:"\w+": )?)(?:true|false|null)(?=,?$)/gm, (name) =>
      name === "null" ? "None" : `${name[0]!.toUpperCase()}${name.slice(1)}`,
    )
    .replaceAll("\n", `\n${indent}`);

const strings = /"(?:[^"\\]|\\.)*"(\s*:)?|'[^']*'/g;

/** Code that can be scrolled by keys, with its strings set apart from the names of fields. */
export function codeBlock(label: string, code: string, classes = ""): Markup {
  const pieces: (Markup | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(strings)) {
    const [text, colon] = match;
    pieces.push(code.slice(end, match.index), colon === undefined ? markup`<b>${text}</b>` : text);
    end = match.index + text.length;
  }
  pieces.push(code.slice(end));
  return markup`<div class="code ${classes}"><pre class="${classes}" role="group" tabindex="0" aria-label="${label}"><code>${pieces}</code></pre><button class="copy" type="button" aria-label="Copy: ${label}">Copy</button></div>`;
}
