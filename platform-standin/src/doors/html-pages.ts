import { escapeHtml, scriptJson } from "./markup.ts";
import type { StandinReel } from "../reels/standin-reel.ts";
import { markShapes, withTokens } from "@reelscript/contract/values";

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26">${markShapes({ frame: "#1d1820", edge: "#fff" })}</svg>`;

const rules = `
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--ink);font:14px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1208px;margin:0 auto;padding:40px}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}ul{list-style:none}
h1{font-size:34px;line-height:1.1;text-wrap:balance}h1+.meta{margin-top:6px}main>p+p{margin-top:12px}h2{font-size:18px;line-height:1.25;margin:40px 0 12px}h3{font-size:14px;margin:20px 0 8px}
a{color:inherit;text-underline-offset:.2em}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
.lead{font-size:16px;line-height:25px;color:var(--ink-2);max-width:60ch;margin-top:12px}.meta{font-size:13px;color:var(--ink-3)}
nav ul{display:flex;flex-wrap:wrap;gap:8px;margin-top:20px}nav a{display:flex;align-items:center;min-height:36px;padding:0 14px;border:1px solid var(--line);border-radius:99px;background:var(--sheet);text-decoration:none}nav a:hover{background:var(--wash-2)}nav .meta{margin-inline-start:6px}
.reels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));gap:12px}
.reels li,.cases li{background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:12px}
.reel{display:grid;grid-template-columns:72px minmax(0,1fr);gap:16px}
.cue{display:block;aspect-ratio:9/16;border-radius:8px;overflow:hidden;background:var(--wash-2)}.cue img{display:block;width:100%;height:100%;object-fit:cover}
.said{display:flex;flex-direction:column;gap:4px;min-width:0}
.words{font-size:16px;line-height:25px;text-decoration:none;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}.words:hover{text-decoration:underline}
.link{display:flex;gap:8px;margin-top:auto}.link input{flex:1;min-width:0;min-height:36px;padding:0 10px;border:1px solid var(--edge);border-radius:8px;background:none;color:var(--ink-2);font:12px ui-monospace,monospace;text-overflow:ellipsis}
button{min-height:36px;min-width:76px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;background:var(--sheet);color:var(--ink);font:600 13px system-ui,sans-serif;cursor:pointer}button:hover{background:var(--wash-2)}button[hidden]{display:none}
.cases{display:grid;gap:8px}.cases li{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,460px);gap:4px 20px;align-items:center}.cases code{font-size:12px;color:var(--ink-3)}
.post{display:grid;grid-template-columns:minmax(0,360px) minmax(0,1fr);gap:40px;margin-top:20px;align-items:start}
.film{display:grid;gap:12px}.film video,.film img{display:block;width:100%;max-height:80vh;border-radius:12px;background:#000}
.caption{font-size:18px;line-height:30px;white-space:pre-wrap;overflow-wrap:anywhere;max-width:60ch}.about{display:grid;gap:20px}.about .link{max-width:520px}
.counts{display:flex;flex-wrap:wrap;gap:8px 28px}.counts dd{font-size:22px;font-weight:640}.counts dt{font-size:13px;color:var(--ink-3)}.counts div{display:flex;flex-direction:column-reverse}
.grid{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:4px;margin-top:20px}.grid a{display:block;aspect-ratio:3/4;background:var(--wash-2)}.grid img{display:block;width:100%;height:100%;object-fit:cover}
.Embed{max-width:360px;padding:12px}.EmbeddedMediaImage{display:block;width:100%;border-radius:12px;margin:8px 0}.Caption{white-space:pre-wrap;overflow-wrap:anywhere}
@media(max-width:820px){main{padding:20px 16px}h1{font-size:28px}.post,.cases li{grid-template-columns:minmax(0,1fr);gap:12px}.film{max-width:420px}.link input,button,nav a{min-height:44px}}
`;

/** The look of every page of the stand-in, inlined so that nothing has to be fetched. */
const peopleStyle =
  '<meta name="viewport" content="width=device-width,initial-scale=1">' +
  `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}"><style>${withTokens(rules.replaceAll("\n", ""))}</style>`;

const documentOf = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}${peopleStyle}</head><body>${body}</body></html>`;

/** A block of data in a page. */
const dataScript = (value: unknown, id = ""): string =>
  `<script type="application/json"${id && ` id="${id}"`} data-sjs>${scriptJson(value)}</script>`;

/** The page's kind on the platform. */
const routeScript = (name: string): string =>
  dataScript({
    require: [["CometPlatformRootClient", "init", [], [{ route: { canonicalRouteName: `comet.igweb.${name}` } }]]],
  });

/** Data that a page preloads for its script. */
const preloadedScript = (query: string, result: unknown, id = ""): string => {
  const preloaded = [
    "RelayPrefetchedStreamCache",
    "next",
    [],
    [`adp_${query}RelayPreloader`, { __bbox: { complete: true, result } }],
  ];
  return dataScript({ require: [["ScheduledServerJS", "handle", null, [{ __bbox: { require: [preloaded] } }]]] }, id);
};

/** The platform's own loader is missing here; without a stub its scripts would fail in a browser. */
const loader = "self.requireLazy??=()=>{};";

const tokenScripts = (token: string): string =>
  `<script>${loader}requireLazy([],[["LSD",[],{"token":"${token}"},323]]);</script>` +
  dataScript({
    require: [
      ["ScheduledServerJS", "handle", null, [{ __bbox: { define: [["LSD", [], { token }, 323]] } }]],
      ["DTSGInitialData", [], {}, 258],
    ],
  });

/** Cookies that the front page sets for visitors, and that their queries return. */
export const guestCookies: readonly string[] = ["csrftoken", "mid"];

/** Makes pages as large as the platform's, which contain more than data. */
const bulkBytes = 600_000;
const bulk = `<script>/*${"an application, but no data ".repeat(bulkBytes / 27)}*/</script>`;

/** An application without data, which the platform sends with status 200 to unknown browsers. */
export const shellPage = (): string => documentOf("Stand-in", bulk, '<div id="mount_0_0"></div>');

/** `list` is the response that the page preloads. */
export const profileDocument = (handle: string, token: string, list: unknown, body: string): string =>
  documentOf(
    `@${handle} • Stand-in`,
    tokenScripts(token) + preloadedScript("PolarisLoggedOutDesktopWWWProfilePostsTabContentQuery", list, "first"),
    body,
  );

/** `body` is what people see; programs use the token. */
export const homePage = (token: string, body: string): string =>
  documentOf("Reels to try • Stand-in", tokenScripts(token), body);

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

/** A browser's response to a share link, which doesn't contain the link's target. */
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

/** The page of a post: a route and the query's response; without the response, it is the page for a caller who has to wait. */
export function postPage(
  token: string,
  answer: unknown,
  /** Content for people. */
  content?: { readonly reel: StandinReel; readonly url: string; readonly image: string; readonly body: string },
): string {
  return documentOf(
    content ? `${content.reel.owner.fullName} on Stand-in` : "Stand-in",
    (content ? openGraph(content.reel, content.url, content.image) : "") +
      tokenScripts(token) +
      routeScript("PolarisLoggedOutDesktopWWWPostRoute") +
      (answer === undefined ? "" : preloadedScript("PolarisLoggedOutDesktopWWWPostRootContentQuery", answer)),
    content?.body ?? '<div id="mount_0_0"></div>',
  );
}

/** The post's page without its post. */
export const throttledPage = (): string => postPage("", undefined);

/** The embed page; its script contains the post as a JSON string inside JSON. */
export function embedPage(reel: StandinReel, url: string, image: string, context: unknown): string {
  const calls = [
    ["PolarisEmbedSimple", "init", [], [{ contextJSON: JSON.stringify(context) }]],
    ["NavigationMetrics", "setPage", [], [{ page: "embed" }]],
  ];
  const body =
    `<div class="Embed" data-media-id="${reel.mediaId}"><div class="Header">` +
    `<a class="UsernameText" href="${escapeHtml(url)}">${escapeHtml(reel.owner.username)}</a></div>` +
    `<img class="EmbeddedMediaImage" crossorigin="anonymous" alt="" src="${escapeHtml(image)}">` +
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
