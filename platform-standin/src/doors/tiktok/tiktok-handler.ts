import type { IncomingMessage, ServerResponse } from "node:http";
import { separateTracks } from "../../made-media/separate-tracks.ts";
import type { StandinReel } from "../../reels/standin-reel.ts";
import { type Answer, htmlAnswer, redirectAnswer, sendAnswer, textAnswer } from "../answer.ts";
import { cookieOf, isNavigation } from "../asked-as.ts";
import type { Handler } from "../loopback-server.ts";
import type { Site } from "../site.ts";
import { createTikTokLinks, type TikTokFile } from "./tiktok-links.ts";
import { challengePage, hasSolved, tiktokPage, waitPage } from "./tiktok-page.ts";

const site = "https://www.tiktok.com";
/** Origin of the media in the pages. */
const mediaOrigin = "https://v16-webapp-prime.tiktok.com";
/** Media require the cookie of a page. */
const chainCookie = "tt_chain_token";
const chainToken = "c3RhbmRpbi1jaGFpbg";
const looksLikeBrowser = /Mozilla\//;

/** Serves TikTok's pages, short links and media under all of their names: the same reels in another format. */
export function createTikTokHandler({ registry, counters }: Site, clock: () => Date): Handler {
  const links = createTikTokLinks(mediaOrigin, clock, "links of TikTok's stand-in");

  function pageOf(request: IncomingMessage, reel: StandinReel | undefined): Answer {
    const { headers } = request;
    if (!isNavigation(headers)) return htmlAnswer(waitPage());
    const wall = reel?.wall?.name;
    if (wall === "tooManyRequests") return htmlAnswer("", 429);
    if (wall === "loginRedirect") return redirectAnswer("/login");
    if (wall === "pleaseWait" && !hasSolved((name) => cookieOf(headers, name))) return htmlAnswer(challengePage());
    if (wall === "emptyData") return htmlAnswer(waitPage());
    return htmlAnswer(tiktokPage(reel, links));
  }

  /** Programs get one redirect. */
  function shortLink(request: IncomingMessage, reel: StandinReel | undefined): Answer {
    if (looksLikeBrowser.test(request.headers["user-agent"] ?? "")) return htmlAnswer(waitPage());
    return redirectAnswer(reel ? `${site}/@${reel.owner.username}/video/${reel.mediaId}?_r=1&_t=standin` : `${site}/`);
  }

  async function fileOf(request: IncomingMessage, url: URL): Promise<Answer> {
    const link = links.read(url);
    if (typeof link === "string") return textAnswer(403, link);
    const { file, mediaId } = link;
    const { referer = "" } = request.headers;
    const isVisitor = referer.startsWith(`${site}/`) && cookieOf(request.headers, chainCookie) === chainToken;
    if (file !== "cover" && !isVisitor) return textAnswer(403, "Access Denied");
    const reel = registry.byMediaId(mediaId);
    const bytes = reel && (await bytesOf(reel, file));
    return bytes
      ? { status: 200, headers: { "content-type": typeOf(file) }, body: bytes }
      : textAnswer(404, "Not Found");
  }

  /** The song differs from the video's own sound, except for photos; the download ends with an extra card. */
  async function bytesOf(reel: StandinReel, file: TikTokFile): Promise<Buffer | undefined> {
    const [media] = reel.media;
    if (file === "cover") return media?.poster();
    if (file === "video") return media?.load();
    if (file === "pictures" || file === "unplayable") return undefined;
    const kind = file === "song" && media?.type === "video" ? "musicOnly" : "speech";
    const other = registry.list.find((each) => each.kind === kind)?.media[0];
    return other && (file === "song" ? (await separateTracks(other))?.audio : other.load());
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", site);
    const [, id] = /^\/@[\w.-]*\/(?:video|photo)\/(\d+)\/?$/.exec(url.pathname) ?? [];
    const [, code] = /^\/(?:t\/)?(\w+)\/?$/.exec(url.pathname) ?? [];
    if (id !== undefined) {
      const reel = registry.byMediaId(id);
      counters.count("page", reel?.code);
      response.setHeader("set-cookie", [
        `${chainCookie}=${chainToken}; Domain=.tiktok.com; Path=/; Secure; HttpOnly`,
        "ttwid=1%7Cstandin; Domain=.tiktok.com; Path=/; Secure; HttpOnly",
      ]);
      sendAnswer(response, pageOf(request, reel));
    } else if (code !== undefined && code !== "login") {
      const reel = registry.byShareId(code);
      counters.count("share", reel?.code);
      sendAnswer(response, shortLink(request, reel));
    } else if (url.pathname.startsWith("/video/")) {
      counters.count("media");
      sendAnswer(response, await fileOf(request, url));
    } else sendAnswer(response, htmlAnswer(waitPage(), url.pathname === "/login" ? 200 : 404));
  };
}

const typeOf = (file: TikTokFile): string =>
  file === "cover" ? "image/jpeg" : file === "song" ? "audio/mp4" : "video/mp4";
