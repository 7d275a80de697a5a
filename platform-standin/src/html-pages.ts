import type { StandinReel } from "./standin-reel.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#039;" };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);

/** JSON that may stand inside a script element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003C");

const documentOf = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}</head><body>${body}</body></html>`;

const siteScript = (lsd: string): string =>
  `<script type="application/json" data-content-len="120" data-sjs>${scriptJson({
    require: [
      ["ScheduledServerJS", "handle", null, [{ __bbox: { define: [["LSD", [], { token: lsd }, 323]] } }]],
      ["DTSGInitialData", [], {}, 258],
    ],
  })}</script>`;

const definedToken = (lsd: string): string => `<script>requireLazy([],[["LSD",[],{"token":"${lsd}"},323]]);</script>`;

export const homePage = (lsd: string): string =>
  documentOf("Stand-in", definedToken(lsd) + siteScript(lsd), '<main id="splash-screen"></main>');

export const loginPage = (): string =>
  documentOf("Login • Stand-in", "", '<main><form action="/accounts/login/ajax/" method="post"></form></main>');

export const notFoundPage = (): string =>
  documentOf("Page not found • Stand-in", "", "<main><h2>Sorry, this page isn't available.</h2></main>");

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
}): string {
  const { reel, url, image, lsd, cached } = input;
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
    '<main id="splash-screen"></main>',
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
    (image ? `<img class="EmbeddedMediaImage" alt="" src="${escapeHtml(image)}">` : "") +
    `<div class="Caption">${escapeHtml(reel.caption ?? "")}</div></div>` +
    `<script>requireLazy(["ServerJS"],function(s){s.handle({"require":${scriptJson(calls)},"define":[]});});</script>`;
  return documentOf("Stand-in", "", body);
}

export const brokenEmbedPage = (): string =>
  documentOf(
    "Stand-in",
    "",
    '<div class="EmbedIsBroken"><p>The link to this photo or video may be broken, or the post may have been removed.</p></div>',
  );
