import { randomBytes } from "node:crypto";
import { member } from "@reelscript/contract/values";
import type { Clock } from "../../../ports.ts";
import { asNavigation } from "../browser.ts";
import type { PlatformSession } from "../platform.ts";
import { SourceFailure, EmptyShell } from "../source-failure.ts";

/** A visitor's credentials, sent with each query. */
export interface Visitor {
  readonly token: string;
  /** The value of the Cookie header; may be empty. */
  readonly cookies: string;
  readonly csrfToken: string | undefined;
}

interface Entry {
  readonly from: PlatformSession;
  readonly since: number;
  readonly visitor: Promise<Visitor>;
  /** Resolves once it exists. */
  arrived?: { readonly visitor: Visitor; readonly isMadeUp: boolean };
}

const lastsMilliseconds = 600_000;
/** The front page is requested again after this time if it gave nothing, or if its visitor was refused. */
const pauseMilliseconds = 60_000;

/** Provides visitors, each for 10 minutes and shared by all reels of one exit. */
export interface FrontPage {
  /** Makes a visitor up if the front page gives none. Throws only the reason of the session's signal. */
  visitor(session: PlatformSession): Promise<Visitor>;
  /** Another visitor after `used` was refused, or `undefined` if another one wouldn't help. */
  renewed(session: PlatformSession, used: Visitor): Promise<Visitor | undefined>;
}

/** Visitors as the front page makes them, one for all reels that are asked for by the same way out. */
export function createFrontPage(clock: Clock): FrontPage {
  const entries = new Map<string, Entry>();
  /** When a visitor was last refused. */
  const renewals = new Map<string, number>();

  function enter(session: PlatformSession): Entry {
    const entry: Entry = {
      from: session,
      since: clock.now().getTime(),
      visitor: Promise.resolve().then(async () => {
        const visitor = await askFrontPage(session);
        entry.arrived = { visitor: visitor ?? madeUp(), isMadeUp: visitor === undefined };
        return entry.arrived.visitor;
      }),
    };
    entries.set(session.exit, entry);
    entry.visitor.catch(() => {
      if (entries.get(session.exit) === entry) entries.delete(session.exit);
    });
    return entry;
  }

  function isFresh({ since, arrived }: Entry): boolean {
    const age = clock.now().getTime() - since;
    return age < (arrived?.isMadeUp ? pauseMilliseconds : lastsMilliseconds);
  }

  async function visitor(session: PlatformSession): Promise<Visitor> {
    for (;;) {
      const lastEntry = entries.get(session.exit);
      const entry = lastEntry && isFresh(lastEntry) ? lastEntry : enter(session);
      try {
        return await unlessAborted(entry.visitor, session.signal);
      } catch (error) {
        session.signal.throwIfAborted();
        // The caller who asked has left; now it is requested for this one.
        if (entry.from === session) throw error;
      }
    }
  }

  return {
    visitor,
    async renewed(session, used) {
      const lastEntry = entries.get(session.exit);
      if (lastEntry?.arrived?.visitor === used) {
        const now = clock.now().getTime();
        const isSoon = now - (renewals.get(session.exit) ?? -Infinity) < pauseMilliseconds;
        if (lastEntry.from === session || isSoon) return undefined;
        renewals.set(session.exit, now);
        entries.delete(session.exit);
      }
      return visitor(session);
    },
  };
}

async function askFrontPage(session: PlatformSession): Promise<Visitor | undefined> {
  try {
    const { text, cookies } = await session.ask("/", { headers: asNavigation });
    const token = queryToken(text);
    if (token === undefined) return undefined;
    return {
      token,
      cookies: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      csrfToken: cookies.get("csrftoken"),
    };
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}

const madeUp = (): Visitor => ({ token: randomBytes(8).toString("base64url"), cookies: "", csrfToken: undefined });

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

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

/** Every post that a page includes as the response of a query for its own script. */
export function prefetchedPosts(html: string): unknown[] {
  return scripts(html).flatMap(({ attributes, content }) =>
    attributes.includes("data-sjs") && content.includes("xig_polaris_media")
      ? valuesNamed(jsonIn(content), "xig_polaris_media", 40)
      : [],
  );
}

/** Undefined if it can't be parsed: another block may be complete. */
function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** True when a response asks visitors to sign in or to wait. */
export const asksToWait = (text: string): boolean => /"require_login":\s*true|please wait a few minutes/i.test(text);

/** Reads from a ruling why visitors can't see a post; `undefined` when it gives no reason. */
export function gateIn(ruling: unknown): "ageGated" | "regionGated" | undefined {
  const said = ["title", "description"]
    .map((name) => member(ruling, name))
    .filter((text) => typeof text === "string")
    .join("\n");
  if (/\b(?:region|country|location)\b/i.test(said)) return "regionGated";
  return /restricted|\bage\b|\b\d\d years old\b/i.test(said) ? "ageGated" : undefined;
}

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

/** Uses splitting: a pattern could take forever on a hostile page. */
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
