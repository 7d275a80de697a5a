import { escapeHtml, scriptJson } from "./markup.ts";
import { peopleStyle } from "./people-style.ts";
import type { StandinReel } from "../reels/standin-reel.ts";

const documentOf = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}${peopleStyle}</head><body>${body}</body></html>`;

const siteScript = (token: string): string =>
  dataScript({
    require: [
      ["ScheduledServerJS", "handle", null, [{ __bbox: { define: [["LSD", [], { token }, 323]] } }]],
      ["DTSGInitialData", [], {}, 258],
    ],
  });

/** A block of a page's data. */
const dataScript = (value: unknown, id = ""): string =>
  `<script type="application/json"${id && ` id="${id}"`} data-sjs>${scriptJson(value)}</script>`;

/** Which page of the platform it is. */
const routeScript = (name: string): string =>
  dataScript({
    require: [["CometPlatformRootClient", "init", [], [{ route: { canonicalRouteName: `comet.igweb.${name}` } }]]],
  });

/** Data that a page loads ahead for its script. */
const preloadedScript = (query: string, result: unknown, id = ""): string => {
  const preloaded = [
    "RelayPrefetchedStreamCache",
    "next",
    [],
    [`adp_${query}RelayPreloader`, { __bbox: { complete: true, result } }],
  ];
  return dataScript({ require: [["ScheduledServerJS", "handle", null, [{ __bbox: { require: [preloaded] } }]]] }, id);
};

/** The platform's own loader is not here; without a word for it its scripts would fail in a browser. */
const loader = "self.requireLazy??=()=>{};";

const definedToken = (token: string): string =>
  `<script>${loader}requireLazy([],[["LSD",[],{"token":"${token}"},323]]);</script>`;

/** What the front page gives to visitors, and their queries bring back. */
export const guestCookies: readonly string[] = ["csrftoken", "mid"];

/** As large as the platform's: what a page brings besides its data. */
const bulkBytes = 600_000;
const bulk = `<script>/*${"an application, but no data ".repeat(bulkBytes / 27)}*/</script>`;

/** An application without data: what the platform sends where it doesn't know a browser, with status 200. */
export const shellPage = (): string => documentOf("Stand-in", bulk, '<div id="mount_0_0"></div>');

/** `list` is the answer that the page loads ahead. */
export function profileDocument(input: { handle: string; token: string; list: unknown; body: string }): string {
  const { handle, token, list, body } = input;
  const query = "PolarisLoggedOutDesktopWWWProfilePostsTabContentQuery";
  const head = definedToken(token) + siteScript(token) + preloadedScript(query, list, "first");
  return documentOf(`@${handle} • Stand-in`, head, body);
}

/** `body` is what people see; programs come for the token. */
export const homePage = (token: string, body: string): string =>
  documentOf("Reels to try • Stand-in", definedToken(token) + siteScript(token), body);

export const loginPage = (): string =>
  documentOf(
    "Login • Stand-in",
    routeScript("PolarisCAAIGLoginHomepageRoute"),
    '<main><form action="/accounts/login/ajax/" method="post"></form><h1>Log in to go on</h1>' +
      '<p class="lead">The stand-in has no accounts: what leads here is shown to nobody.</p>' +
      '<p><a href="/">All reels</a></p></main>',
  );

export const notFoundPage = (): string =>
  documentOf(
    "Page not found • Stand-in",
    routeScript("PolarisErrorRoute"),
    `<main><h2>Sorry, this page isn't available.</h2><p><a href="/">All reels</a></p></main>`,
  );

/** A browser's answer to a share link: it does not say where the link leads. */
export const sharePage = (): string =>
  documentOf(
    "Stand-in",
    "",
    '<main id="splash-screen"><p class="lead">A share link. It sends programs on to its reel, and tells browsers nothing.</p>' +
      '<p><a href="/">All reels</a></p></main>',
  );

function openGraph(reel: StandinReel, url: string, image: string): string {
  const meta = (property: string, content: string) => `<meta property="${property}" content="${escapeHtml(content)}">`;
  const caption = reel.caption ?? "";
  return (
    meta("og:type", reel.media[0]?.type === "video" ? "video.other" : "article") +
    meta("og:url", url) +
    meta("og:title", `${reel.owner.fullName}: "${caption}"`) +
    meta("og:description", `${reel.likes ?? 0} likes, ${reel.comments} comments - ${reel.owner.username}`) +
    meta("og:image", image) +
    `<link rel="canonical" href="${escapeHtml(url)}">`
  );
}

interface ShownReel extends StandinReel {
  readonly url: string;
  readonly image: string;
  /** What people see. */
  readonly body: string;
}

/** The page of a post: a route, and the answer of its query; without the answer it is the page of a caller who has to wait. */
export function postPage(input: { reel: ShownReel | undefined; token: string; answer: unknown }): string {
  const { reel, token, answer } = input;
  const query = "PolarisLoggedOutDesktopWWWPostRootContentQuery";
  return documentOf(
    reel ? `${reel.owner.fullName} on Stand-in` : "Stand-in",
    (reel ? openGraph(reel, reel.url, reel.image) : "") +
      definedToken(token) +
      siteScript(token) +
      routeScript("PolarisLoggedOutDesktopWWWPostRoute") +
      (answer === undefined ? "" : preloadedScript(query, answer)),
    reel?.body ?? '<div id="mount_0_0"></div>',
  );
}

/** The post's page without the post. */
export const throttledPage = (): string => postPage({ reel: undefined, token: "", answer: undefined });

/** The embed page; its script carries the post as a JSON string inside JSON. */
export function embedPage(input: {
  reel: StandinReel;
  url: string;
  image: string | undefined;
  context: unknown;
}): string {
  const { reel, url, image, context } = input;
  const calls = [
    ["PolarisEmbedSimple", "init", [], [{ contextJSON: JSON.stringify(context) }]],
    ["NavigationMetrics", "setPage", [], [{ page: "embed" }]],
  ];
  const body =
    `<div class="Embed" data-media-id="${reel.mediaId}"><div class="Header">` +
    `<a class="UsernameText" href="${escapeHtml(url)}">${escapeHtml(reel.owner.username)}</a></div>` +
    (image ? `<img class="EmbeddedMediaImage" crossorigin="anonymous" alt="" src="${escapeHtml(image)}">` : "") +
    `<div class="Caption">${escapeHtml(reel.caption ?? "")}</div></div>` +
    `<script>${loader}requireLazy(["ServerJS"],function(s){s.handle({"require":${scriptJson(calls)},"define":[]});});</script>`;
  return documentOf("Stand-in", "", body);
}

export const brokenEmbedPage = (): string =>
  documentOf(
    "Stand-in",
    "",
    '<div class="EmbedIsBroken"><p>The link to this photo or video may be broken, or the post may have been removed.</p></div>',
  );
