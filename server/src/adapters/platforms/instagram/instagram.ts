import { instagramIdOf, instagramLinks, isPrivateInstagramCode, member } from "@reelscript/contract/values";
import type { Clock, ReelAddress } from "../../../ports.ts";
import { asFrame, asNavigation } from "../browser.ts";
import type { Platform, PlatformMedia, PlatformSession, Way } from "../platform.ts";
import { EmptyShell, SourceFailure } from "../source-failure.ts";
import { createQueries, doorOf, type Queries } from "./queries.ts";
import {
  asksToWait,
  embeddedPost,
  endOf,
  gateIn,
  prefetchedPosts,
  readGraphNode,
  readMediaItem,
  routeOf,
} from "./read-post.ts";
import { strikeOut } from "./strike-out.ts";

export const instagram: Platform = {
  name: instagramLinks.platform,
  origin: instagramLinks.origin,
  links: instagramLinks,
  otherOrigins: [
    "https://instagram.com",
    "https://*.instagram.com",
    "https://*.cdninstagram.com",
    "https://*.fbcdn.net",
  ],
  mayBePrivate: false,
  identify(code) {
    const mediaId = instagramIdOf(code);
    // One spelling per reel: a public code loses leading zero digits, a private form is kept whole because pages need it.
    const isWhole = isPrivateInstagramCode(code);
    return mediaId === undefined ? undefined : { mediaId, code: isWhole ? code : code.replace(/^A+/, "") };
  },
  createWays: createInstagramWays,
  isPrivateForm: isPrivateInstagramCode,
  endOf,
  isWall: ({ pathname }) => /^\/(?:accounts|challenge|consent|checkpoint)(?:\/|$)/.test(pathname),
  asksToWait,
  routeOf,
  strikeOut,
  ytDlp: {
    format: "bestaudio[acodec!^=mp4a.40.42]/worst[acodec!=none]/worst",
    handle: "channel",
    displayName: "uploader",
    meanings: [
      [/users who follow this account|account is private|private (?:video|post)/i, "private"],
      [/restricted video|age[- ]restricted|\b\d\d years old\b|confirm your age/i, "ageGated"],
      [/no video in this post/i, "notVideo"],
      [/isn't available|does not exist|removed/i, "deleted"],
      [/rate-?limit|log ?in|logged|not granting access|wait a few minutes|challenge/i, "walled"],
    ],
  },
};

/** The ways of a visitor without an account: the post's page, its query, a second query, the frame for other sites. */
function createInstagramWays(clock: Clock): readonly Way[] {
  const queries = createQueries(clock);

  async function byPage(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
    const { text } = await session.ask(`/p/${reel.shortcode}/`, { headers: asNavigation });
    const posts = prefetchedPosts(text);
    // The page also contains other posts of the account.
    const post = posts.find((candidate) => isOf(reel, candidate));
    if (post === undefined) throw pageWithout(text, posts.length > 0);
    return readShown(post, reel, session, queries);
  }

  async function byPostQuery(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
    const data = await queries.post(reel, session);
    const post = member(data, "xig_polaris_media");
    if (post === null) throw new SourceFailure("deleted", "the query knows no such post");
    if (!isOf(reel, post)) throw new SourceFailure("changed", "the query answers with another post or none");
    return readShown(post, reel, session, queries);
  }

  async function bySecondQuery(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
    const information = member(await queries.second(reel, session), "xdt_api__v1__media__shortcode__web_info");
    const items = member(information, "items");
    if (!Array.isArray(items) || !isOf(reel, items[0]))
      throw new SourceFailure("changed", "the second query answers with another post or none");
    return readMediaItem(items[0], reel);
  }

  async function byFrame(reel: ReelAddress, session: PlatformSession): Promise<PlatformMedia> {
    const { text } = await session.ask(`/p/${reel.shortcode}/embed/captioned/`, { headers: asFrame });
    return readGraphNode(embeddedPost(text), reel);
  }

  return [
    { name: "page", kind: "page", ask: byPage },
    { name: "graphql", kind: "query", ask: byPostQuery },
    { name: "query", kind: "query", ask: bySecondQuery },
    { name: "embed", kind: "page", ask: (reel, session) => doorOf(() => byFrame(reel, session)) },
  ];
}

/** A post names itself by its code, its number or both. */
function isOf(reel: ReelAddress, post: unknown): boolean {
  const mediaItem = mediaItemOf(post);
  const names = ["pk", "code"].flatMap((name) => {
    const value = member(post, name) ?? member(mediaItem, name);
    return typeof value === "string" ? [value] : [];
  });
  const reelNames = new Set([reel.mediaId, reel.shortcode, reel.shortcode.slice(0, codeLength)]);
  return names.length > 0 ? names.every((name) => reelNames.has(name)) : member(post, "id") === reel.mediaId;
}

/** Without what the long form of a code adds. */
const codeLength = 11;

function mediaItemOf(post: unknown): unknown {
  const mediaItem = member(post, "if_not_gated_logged_out");
  return Array.isArray(mediaItem) ? mediaItem[0] : mediaItem;
}

async function readShown(
  post: unknown,
  reel: ReelAddress,
  session: PlatformSession,
  queries: Queries,
): Promise<PlatformMedia> {
  const mediaItem = mediaItemOf(post);
  if (mediaItem === undefined) throw new SourceFailure("changed", "the post is not where it used to be");
  if (mediaItem !== null) return readMediaItem(mediaItem, reel);
  const gate = gateIn(member(post, "gating_ruling")) ?? gateIn(await queries.ruling(reel, session));
  throw new SourceFailure(gate ?? "private", "the post is not shown to visitors");
}

/** Reads from a page why it lacks the post. */
function pageWithout(html: string, hasOtherPosts: boolean): SourceFailure {
  const route = routeOf(html) ?? "";
  if (route.endsWith("ErrorRoute")) return new SourceFailure("deleted", "the page says that the post does not exist");
  if (route.includes("Login")) return new SourceFailure("walled", "the page is a login page");
  if (route.endsWith("PostRoute") && !hasOtherPosts)
    return new SourceFailure("walled", "the page of the post has no post: we have to wait");
  if (asksToWait(html)) return new SourceFailure("walled", "the page asks to wait");
  return hasOtherPosts || route !== ""
    ? new SourceFailure("changed", "the page carries another post or none")
    : new EmptyShell("changed", "the page is an empty shell");
}
