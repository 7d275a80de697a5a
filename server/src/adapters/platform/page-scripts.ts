import { SourceFailure } from "./source-failure.ts";

/** The token that a page gives to the queries that follow it. */
export function queryToken(html: string): string | undefined {
  return (
    /\["LSD",\s*\[\],\s*\{\s*"token":\s*"([\w-]{1,200})"/.exec(html)?.[1] ??
    /<script[^>]*\bid="__eqmc"[^>]*>[^<]*"l":\s*"([\w-]{1,200})"/.exec(html)?.[1]
  );
}

/** The post inside an embed page: a JSON text inside the JSON of a script. Throws `SourceFailure` `changed`. */
export function embeddedPost(html: string): unknown {
  const literal = /"contextJSON":\s*("(?:[^"\\]|\\.)*")/.exec(html)?.[1];
  if (literal === undefined) throw new SourceFailure("changed", "the embed page carries no post");
  const context = parseJson(String(parseJson(literal)));
  const data = member(context, "gql_data") ?? member(context, "context");
  const post = member(data, "shortcode_media") ?? member(data, "xdt_shortcode_media") ?? member(data, "media");
  if (post == null) throw new SourceFailure("changed", "the embed page carries no post");
  return post;
}

/** The answer of the post's query that a page carries along for its own script. Throws `SourceFailure` `changed`. */
export function prefetchedAnswer(html: string): unknown {
  for (const [, json = ""] of html.matchAll(/<script\b[^>]*\bdata-sjs\b[^>]*>([^<]*)<\/script>/g)) {
    if (!json.includes("xig_polaris_media")) continue;
    const data = findHolder(parseJson(json), "xig_polaris_media", 40);
    if (data !== undefined) return data;
  }
  throw new SourceFailure("changed", "the page carries no post");
}

/** Throws `SourceFailure` `changed`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^for\s*\(;;\);/, ""));
  } catch (cause) {
    throw new SourceFailure("changed", "JSON was due", cause);
  }
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function findHolder(value: unknown, name: string, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  if (Object.hasOwn(value, name)) return value;
  for (const child of Object.values(value)) {
    const found = findHolder(child, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
