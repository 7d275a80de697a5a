import type { ReelAddress } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import { readMediaItem } from "./read-media-item.ts";
import { readGraphNode } from "./read-graph-node.ts";
import { embeddedPost, member, parseJson, prefetchedAnswer, queryToken } from "./page-scripts.ts";
import type { PlatformMedia } from "./platform-media.ts";
import type { PlatformSession } from "./platform-session.ts";
import { SourceFailure } from "./source-failure.ts";

const newQuery = { document: "27130156389949648", name: "PolarisLoggedOutDesktopWWWPostRootContentQuery" };
const oldQuery = { document: "8845758582119845", name: "PolarisPostActionLoadPostQueryQuery" };
/** The platform's public id of its own web page; queries without it are turned away. */
const webApplication = {
  "x-ig-app-id": "936619743392459",
  "x-ig-www-claim": "0",
  "x-requested-with": "XMLHttpRequest",
};
const restricted = /restricted|\b\d\d years old\b/i;
const final: ReadonlySet<string> = new Set(["private", "deleted", "ageGated", "notVideo"]);

/** A way to learn about a reel. A wall before one query stands before all queries; pages are walled one by one. */
interface Way {
  readonly kind: "query" | "page";
  readonly take: () => Promise<PlatformMedia>;
}

/**
 * Asks the platform about a reel as a visitor without an account: its query of today, the one of before, the embed page, the
 * page. Throws `SourceFailure`, or the reason of the session's signal.
 */
export async function askPlatform(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
  const token = queryToken(await door(() => session.ask("/")));
  const ways: readonly Way[] = [
    { kind: "query", take: () => byNewQuery(reel, session, token) },
    { kind: "query", take: () => byOldQuery(reel, session, token) },
    { kind: "page", take: () => byEmbedPage(reel, session) },
    { kind: "page", take: () => byPage(reel, session) },
  ];
  const failures: SourceFailure[] = [];
  let queriesAreWalled = false;
  for (const { kind, take } of ways) {
    if (kind === "query" && queriesAreWalled) continue;
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof SourceFailure) || final.has(error.kind) || isSilence(error)) throw error;
      failures.push(error);
      queriesAreWalled ||= error.kind === "walled";
    }
  }
  throw worst(failures);
}

/** Where no complete answer comes from at one door, the others would only cost time. */
function isSilence({ cause }: SourceFailure): boolean {
  return cause instanceof FetchFailure && cause.reason === "unreachable";
}

/** A wall explains all the rest; otherwise the first way says most. */
function worst(failures: readonly SourceFailure[]): SourceFailure {
  const worstFailure = failures.find(({ kind }) => kind === "walled") ?? failures[0];
  const story = failures.map(({ kind, message }) => `${kind}: ${message}`).join("; ");
  return new SourceFailure(worstFailure?.kind ?? "changed", story, worstFailure);
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
