import { EmptyShell, SourceFailure } from "../source-failure.ts";

/** The token that a page gives to the queries that follow it. */
export function queryToken(html: string): string | undefined {
  const defined = /\["LSD",\[\],\{"token":"([\w-]{1,200})"/.exec(html)?.[1];
  if (defined !== undefined) return defined;
  const content = scripts(html).find(({ attributes }) => attributes.includes('id="__eqmc"'))?.content;
  const token = /"l":"([^"]*)"/.exec(content ?? "")?.[1];
  return token !== undefined && /^[\w-]{1,200}$/.test(token) ? token : undefined;
}

/** The post inside an embed page: a JSON text inside the JSON of a script. Throws `SourceFailure` `changed`. */
export function embeddedPost(html: string): unknown {
  const literal = /"contextJSON":\s*("(?:[^"\\]|\\.)*")/.exec(html)?.[1];
  if (literal === undefined)
    throw html.includes("EmbedIsBroken")
      ? new SourceFailure("changed", "the embed page carries no post")
      : new EmptyShell("changed", "the embed page is an empty shell");
  const context = parseJson(String(parseJson(literal)));
  const data = member(context, "gql_data") ?? member(context, "context");
  const post = member(data, "shortcode_media") ?? member(data, "xdt_shortcode_media") ?? member(data, "media");
  if (post == null) throw new SourceFailure("changed", "the embed page carries no post");
  return post;
}

/** Every post that a page carries along for its own script as the answer of a query. */
export function prefetchedPosts(html: string): unknown[] {
  return scripts(html).flatMap(({ attributes, content }) =>
    attributes.includes("data-sjs") && content.includes("xig_polaris_media")
      ? valuesNamed(jsonIn(content), "xig_polaris_media", 40)
      : [],
  );
}

/** Undefined where it is none: another block may be whole. */
function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Whether an answer asks visitors to sign in or to wait. */
export const asksToWait = (text: string): boolean => /"require_login":\s*true|please wait a few minutes/i.test(text);

/** The name that a page gives to its own route. */
export function routeOf(html: string): string | undefined {
  return /"canonicalRouteName":"([\w.]{1,200})"/.exec(html)?.[1];
}

/** Throws `SourceFailure` `changed`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^for\s*\(;;\);/, ""));
  } catch (error) {
    throw new SourceFailure("changed", "JSON was due", error);
  }
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** By splitting: a pattern over a hostile page could take for ever. */
function scripts(html: string): { readonly attributes: string; readonly content: string }[] {
  return html
    .split("<script")
    .slice(1)
    .map((part) => {
      const start = part.indexOf(">") + 1;
      const end = part.indexOf("</script>", start);
      return { attributes: part.slice(0, start), content: end < 0 ? "" : part.slice(start, end) };
    });
}

function valuesNamed(value: unknown, name: string, depth: number): unknown[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  if (Object.hasOwn(value, name)) return [member(value, name)];
  return Object.values(value).flatMap((child) => valuesNamed(child, name, depth - 1));
}
