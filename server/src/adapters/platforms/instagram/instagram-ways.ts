import type { ReelAddress } from "../../../ports.ts";
import { readMediaItem } from "./read-media-item.ts";
import { readGraphNode } from "./read-graph-node.ts";
import { embeddedPost, member, parseJson, prefetchedAnswer, queryToken } from "./page-scripts.ts";
import type { PlatformMedia } from "../platform-media.ts";
import type { PlatformSession } from "../platform-session.ts";
import { SourceFailure } from "../source-failure.ts";
import type { Way } from "../ways.ts";

const newQuery = { document: "27130156389949648", name: "PolarisLoggedOutDesktopWWWPostRootContentQuery" };
const oldQuery = { document: "8845758582119845", name: "PolarisPostActionLoadPostQueryQuery" };
/** The platform's public id of its own web page; queries without it are turned away. */
const webApplication = {
  "x-ig-app-id": "936619743392459",
  "x-ig-www-claim": "0",
  "x-requested-with": "XMLHttpRequest",
};
const restricted = /restricted|\b\d\d years old\b/i;
/** The ways of a visitor without an account: the query of today, the one of before, the embed page, the page. */
export function createInstagramWays(): readonly Way[] {
  const tokens = new WeakMap<PlatformSession, Promise<string | undefined>>();
  const tokenOf = (session: PlatformSession): Promise<string | undefined> => {
    const token = tokens.get(session) ?? door(() => session.ask("/")).then(queryToken);
    tokens.set(session, token);
    return token;
  };
  return [
    { name: "graphql", kind: "query", ask: async (reel, session) => byNewQuery(reel, session, await tokenOf(session)) },
    { name: "query", kind: "query", ask: async (reel, session) => byOldQuery(reel, session, await tokenOf(session)) },
    { name: "embed", kind: "page", ask: async (reel, session) => (await tokenOf(session), byEmbedPage(reel, session)) },
    { name: "page", kind: "page", ask: async (reel, session) => (await tokenOf(session), byPage(reel, session)) },
  ];
}

async function byNewQuery(reel: ReelAddress, session: PlatformSession, token?: string): Promise<PlatformMedia> {
  if (token === undefined) throw new SourceFailure("changed", "the front page carries no token");
  const ruling = await query(() =>
    session.ask(`/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${reel.mediaId}`, {
      headers: webApplication,
    }),
  );
  if (restricted.test(JSON.stringify([member(ruling, "title"), member(ruling, "description")])))
    throw new SourceFailure("ageGated", "the platform's ruling restricts the reel");
  const answer = await query(() =>
    session.ask("/api/graphql", form(reel, session, token, newQuery, { media_id: reel.mediaId })),
  );
  return readNewAnswer(member(answer, "data"), reel);
}

async function byOldQuery(reel: ReelAddress, session: PlatformSession, token = ""): Promise<PlatformMedia> {
  const answer = await query(() =>
    session.ask("/graphql/query/", form(reel, session, token, oldQuery, { shortcode: reel.shortcode })),
  );
  const data = member(answer, "data");
  const post = member(data, "xdt_shortcode_media");
  if (post === undefined) throw new SourceFailure("walled", "the query of before answers without data");
  if (post === null) throw missing(reel);
  return readGraphNode(post, reel);
}

async function byEmbedPage(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
  return readGraphNode(embeddedPost(await session.ask(`/p/${reel.shortcode}/embed/captioned/`)), reel);
}

async function byPage(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
  return readNewAnswer(prefetchedAnswer(await session.ask(`/p/${reel.shortcode}/`)), reel);
}

function readNewAnswer(data: unknown, reel: ReelAddress): PlatformMedia {
  const media = member(data, "xig_polaris_media");
  if (media === undefined) throw new SourceFailure("walled", "the query of today answers without data");
  if (media === null) throw missing(reel);
  const shown = member(media, "if_not_gated_logged_out");
  if (shown === undefined) throw new SourceFailure("changed", "the post is not where it used to be");
  if (shown === null) throw new SourceFailure("private", "the post is not shown to the public");
  return readMediaItem(Array.isArray(shown) ? shown[0] : shown, reel);
}

/** The long form of a code is only ever given to posts of private accounts. */
function missing(reel: ReelAddress): SourceFailure {
  return reel.shortcode.length > 28
    ? new SourceFailure("private", "the platform does not show this private form")
    : new SourceFailure("deleted", "the platform knows no such post");
}

async function query(ask: () => Promise<string>): Promise<unknown> {
  return parseJson(await door(ask));
}

/** Asks what is there whatever happens to the reel: a 404 means that the door is gone, not the reel. */
async function door(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SourceFailure && error.kind === "deleted")
      throw new SourceFailure("changed", error.message, error);
    throw error;
  }
}

function form(
  reel: ReelAddress,
  session: PlatformSession,
  token: string,
  { document, name }: { readonly document: string; readonly name: string },
  variables: Readonly<Record<string, string>>,
) {
  const csrf = session.cookie("csrftoken");
  const fields = {
    lsd: token,
    fb_api_caller_class: "RelayModern",
    fb_api_req_friendly_name: name,
    server_timestamps: "true",
    variables: JSON.stringify(variables),
    doc_id: document,
  };
  return {
    method: "POST" as const,
    body: new URLSearchParams(fields).toString(),
    headers: {
      ...webApplication,
      "content-type": "application/x-www-form-urlencoded",
      "x-fb-friendly-name": name,
      "x-fb-lsd": token,
      origin: session.origin,
      referer: `${session.origin}/p/${reel.shortcode}/`,
      ...(csrf === undefined ? {} : { "x-csrftoken": csrf }),
    },
  };
}
