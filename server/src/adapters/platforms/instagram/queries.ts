import { randomBytes } from "node:crypto";
import { member } from "@reelscript/contract/values";
import type { Clock, ReelAddress } from "../../../ports.ts";
import { asNavigation, asQuery } from "../browser.ts";
import type { PlatformSession } from "../platform.ts";
import { EmptyShell, SourceFailure } from "../source-failure.ts";
import { asksToWait, parseJson, queryToken } from "./read-post.ts";

interface StoredQuery {
  readonly path: string;
  readonly document: string;
  readonly name: string;
  readonly variables: (reel: ReelAddress) => Readonly<Record<string, unknown>>;
}

const postQuery: StoredQuery = {
  path: "/api/graphql",
  document: "27130156389949648",
  name: "PolarisLoggedOutDesktopWWWPostRootContentQuery",
  variables: ({ mediaId }) => ({ media_id: mediaId }),
};
const secondQuery: StoredQuery = {
  path: "/graphql/query",
  document: "27128499623469141",
  name: "PolarisPostRootQuery",
  variables: ({ shortcode }) => ({
    shortcode,
    __relay_internal__pv__PolarisAIGMMediaWebLabelEnabledrelayprovider: false,
  }),
};
/** The platform's public ids of its own web page; queries without them are refused. */
const webApplication = { "x-ig-app-id": "936619743392459", "x-asbd-id": "359341" };

/** The queries of the platform's own page. Each throws `SourceFailure`, or the reason of the session's signal. */
export interface Queries {
  /** `data` of the answer about a post. */
  post(reel: ReelAddress, session: PlatformSession): Promise<unknown>;
  /** `data` of the answer of another query about it. */
  second(reel: ReelAddress, session: PlatformSession): Promise<unknown>;
  /** The platform's reason for hiding a post from the public. */
  ruling(reel: ReelAddress, session: PlatformSession): Promise<unknown>;
}

/** Sends queries as a visitor of the front page, and once more as another visitor if the first was refused. */
export function createQueries(clock: Clock): Queries {
  const frontPage = createFrontPage(clock);

  async function ask(query: StoredQuery, reel: ReelAddress, session: PlatformSession): Promise<unknown> {
    const visitor = await frontPage.visitor(session);
    try {
      return await send(query, reel, session, visitor);
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isTurnedAway(error, session)) throw error;
      const other = await frontPage.renewed(session, visitor);
      if (other === undefined) throw error;
      return send(query, reel, session, other);
    }
  }

  return {
    post: (reel, session) => ask(postQuery, reel, session),
    second: (reel, session) => ask(secondQuery, reel, session),
    async ruling(reel, session) {
      const visitor = await frontPage.visitor(session);
      const path = `/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${reel.mediaId}`;
      return read(path, session, { headers: headersOf(reel, session, visitor) });
    },
  };
}

/** Another visitor may be accepted if the platform doesn't ask to wait. */
function isTurnedAway({ kind }: SourceFailure, { seen }: PlatformSession): boolean {
  const last = seen.at(-1);
  return kind === "walled" && (last?.status === 403 || last?.status === 200) && !asksToWait(last.text);
}

async function send(
  { path, document, name, variables }: StoredQuery,
  reel: ReelAddress,
  session: PlatformSession,
  visitor: Visitor,
): Promise<unknown> {
  const form = {
    lsd: visitor.token,
    fb_api_caller_class: "RelayModern",
    fb_api_req_friendly_name: name,
    server_timestamps: "true",
    variables: JSON.stringify(variables(reel)),
    doc_id: document,
  };
  const answer = await read(path, session, {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: {
      ...headersOf(reel, session, visitor),
      "content-type": "application/x-www-form-urlencoded",
      "x-fb-friendly-name": name,
      "x-fb-lsd": visitor.token,
      origin: session.origin,
    },
  });
  const data = member(answer, "data");
  if (typeof data === "object" && data !== null && Object.keys(data).length > 0) return data;
  throw member(answer, "errors") === undefined
    ? new SourceFailure("walled", `${path} answers without data`)
    : new SourceFailure("changed", `${path} answers with errors alone`);
}

const headersOf = ({ shortcode }: ReelAddress, { origin }: PlatformSession, { cookies, csrfToken }: Visitor) => ({
  ...asQuery,
  ...webApplication,
  referer: `${origin}/p/${shortcode}/`,
  ...(cookies !== "" && { cookie: cookies }),
  ...(csrfToken !== undefined && { "x-csrftoken": csrfToken }),
});

async function read(
  path: string,
  session: PlatformSession,
  question: Parameters<PlatformSession["ask"]>[1],
): Promise<unknown> {
  const { text } = await doorOf(() => session.ask(path, question));
  if (/^\s*</.test(text)) throw new EmptyShell("walled", `${path} answers with a page instead of JSON`);
  const answer = parseJson(text);
  const message = member(answer, "message");
  if (member(answer, "require_login") === true || (typeof message === "string" && asksToWait(message)))
    throw new SourceFailure("walled", `${path} asks to wait`);
  return answer;
}

/** This address exists whatever happens to the reel, so a 404 means that the query is gone. */
export async function doorOf<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SourceFailure && error.kind === "deleted")
      throw new SourceFailure("changed", error.message, error);
    throw error;
  }
}

/** A visitor's credentials, sent with each query. */
interface Visitor {
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
interface FrontPage {
  /** Makes a visitor up if the front page gives none. Throws only the reason of the session's signal. */
  visitor(session: PlatformSession): Promise<Visitor>;
  /** Another visitor after `used` was refused, or `undefined` if another one wouldn't help. */
  renewed(session: PlatformSession, used: Visitor): Promise<Visitor | undefined>;
}

/** Visitors as the front page makes them, one for all reels that are asked for by the same way out. */
function createFrontPage(clock: Clock): FrontPage {
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
