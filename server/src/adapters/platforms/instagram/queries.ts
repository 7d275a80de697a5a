import { member } from "@reelscript/contract/values";
import type { ReelAddress } from "../../../ports.ts";
import { asQuery } from "../browser.ts";
import type { PlatformSession } from "../platform.ts";
import { EmptyShell, SourceFailure } from "../source-failure.ts";
import { type FrontPage, type Visitor, asksToWait, parseJson } from "./front-page.ts";

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
export function createQueries(frontPage: FrontPage): Queries {
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
