import type { IncomingHttpHeaders } from "node:http";
import { reelView } from "../reels/people-pages.ts";
import { hostileShareTargets } from "../reels/share-links.ts";
import { isShown, type StandinReel } from "../reels/standin-reel.ts";
import { type Answer, htmlAnswer, redirectAnswer } from "./answer.ts";
import { isFrame, isNavigation } from "./asked-as.ts";
import { toGraphNode } from "./graph-node.ts";
import { brokenEmbedPage, embedPage, notFoundPage, postPage, shellPage, sharePage } from "./html-pages.ts";
import { postAnswer } from "./post-data.ts";
import type { Site } from "./site.ts";

type ReelDoor<Result> = (reel: StandinReel | undefined, headers: IncomingHttpHeaders, site: Site) => Result;

const urlOf = ({ code }: StandinReel, { origins }: Site): string => `${origins.pages}/reel/${code}/`;

export const answerPage: ReelDoor<Promise<Answer>> = async (reel, headers, site) => {
  if (!isNavigation(headers)) return htmlAnswer(shellPage());
  if (!reel || reel.availability === "deleted" || reel.availability === "unknownToPage")
    return htmlAnswer(notFoundPage());
  const url = urlOf(reel, site);
  const answer = reel.availability === "unknownToQuery" ? undefined : await postAnswer(reel, site);
  const content = { reel, url, image: site.links.poster(reel, 0), body: reelView(reel, url, site.links) };
  return htmlAnswer(postPage(site.token, answer, reel.availability === "public" ? content : undefined));
};

export const answerEmbed: ReelDoor<Answer> = (reel, headers, site) => {
  if (!isFrame(headers)) return htmlAnswer(shellPage());
  if (!reel || !isShown(reel)) return htmlAnswer(brokenEmbedPage());
  const { links } = site;
  const context = { type: "embed", gql_data: { shortcode_media: toGraphNode(reel, links) }, media: null };
  return htmlAnswer(embedPage(reel, urlOf(reel, site), links.poster(reel, 0), context));
};

/** The platform has nothing like it: a dashboard next to the stand-in uses it to play the reel. */
export const answerVideo: ReelDoor<Answer> = (reel, _headers, { links }) => {
  const media = reel && isShown(reel) ? reel.media[0] : undefined;
  if (media?.type !== "video" || media.fault) return htmlAnswer(notFoundPage(), 404);
  const redirect = redirectAnswer(links.video(reel!, 0));
  return { ...redirect, headers: { ...redirect.headers, "access-control-allow-origin": "*" } };
};

const looksLikeBrowser = /Mozilla\//;

/** Programs get one redirect; browsers get a page whose script finds its target. */
export function answerShare(id: string, reel: StandinReel | undefined, userAgent: string): Answer {
  const hostile = hostileShareTargets.get(id);
  if (hostile !== undefined) return redirectAnswer(hostile);
  if (!reel) return htmlAnswer(notFoundPage(), 404);
  if (looksLikeBrowser.test(userAgent)) return htmlAnswer(sharePage());
  return redirectAnswer(`/reel/${reel.code}/?igsh=c3RhbmRpbg%3D%3D`);
}
