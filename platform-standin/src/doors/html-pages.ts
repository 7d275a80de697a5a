import { escapeHtml, scriptJson } from "./markup.ts";
import { peopleStyle } from "./people-style.ts";
import type { StandinReel } from "../reels/standin-reel.ts";

const documentOf = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}${peopleStyle}</head><body>${body}</body></html>`;

const siteScript = (lsd: string): string =>
  `<script type="application/json" data-content-len="120" data-sjs>${scriptJson({
    require: [
      ["ScheduledServerJS", "handle", null, [{ __bbox: { define: [["LSD", [], { token: lsd }, 323]] } }]],
      ["DTSGInitialData", [], {}, 258],
    ],
  })}</script>`;

/** The platform's own loader is not here; without a word for it its scripts would fail in a browser. */
const loader = "self.requireLazy??=()=>{};";

const definedToken = (lsd: string): string =>
  `<script>${loader}requireLazy([],[["LSD",[],{"token":"${lsd}"},323]]);</script>`;

export const profileDocument = (handle: string, head: string, body: string): string =>
  documentOf(`@${handle} • Stand-in`, head, body);

/** `body` is what people see; programs come for the token. */
export const homePage = (lsd: string, body: string): string =>
  documentOf("Reels to try • Stand-in", definedToken(lsd) + siteScript(lsd), body);

export const loginPage = (): string =>
  documentOf(
    "Login • Stand-in",
    "",
    '<main><form action="/accounts/login/ajax/" method="post"></form><h1>Log in to go on</h1>' +
      '<p class="lead">The stand-in has no accounts: what leads here is shown to nobody.</p>' +
      '<p><a href="/">All reels</a></p></main>',
  );

export const notFoundPage = (): string =>
  documentOf(
    "Page not found • Stand-in",
    "",
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

function openGraph(reel: StandinReel, url: string, image: string | undefined): string {
  const meta = (property: string, content: string) => `<meta property="${property}" content="${escapeHtml(content)}">`;
  const caption = reel.caption ?? "";
  return (
    meta("og:type", reel.media[0]?.type === "video" ? "video.other" : "article") +
    meta("og:url", url) +
    meta("og:title", `${reel.owner.fullName}: "${caption}"`) +
    meta("og:description", `${reel.likes ?? 0} likes, ${reel.comments} comments - ${reel.owner.username}`) +
    (image ? meta("og:image", image) : "") +
    `<link rel="canonical" href="${escapeHtml(url)}">`
  );
}

/** The page of a post; `cached` is what the page's query cache holds, or undefined for a page that carries none. */
export function postPage(input: {
  reel: StandinReel;
  url: string;
  image: string | undefined;
  lsd: string;
  cached: unknown;
  /** What people see. */
  body: string;
}): string {
  const { reel, url, image, lsd, cached, body } = input;
  const result = { __bbox: { complete: true, result: { data: cached, extensions: { is_final: true } } } };
  const stream = {
    require: [
      [
        "ScheduledServerJS",
        "handle",
        null,
        [
          {
            __bbox: {
              require: [
                [
                  "RelayPrefetchedStreamCache",
                  "next",
                  [],
                  ["adp_PolarisLoggedOutDesktopWWWPostRootContentQueryRelayPreloader", result],
                ],
              ],
            },
          },
        ],
      ],
    ],
  };
  const cache = cached === undefined ? "" : `<script type="application/json" data-sjs>${scriptJson(stream)}</script>`;
  return documentOf(
    `${reel.owner.fullName} on Stand-in`,
    openGraph(reel, url, image) + definedToken(lsd) + siteScript(lsd) + cache,
    body,
  );
}

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
