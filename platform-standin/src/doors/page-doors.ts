import type { IncomingHttpHeaders } from "node:http";
import { type Answer, htmlAnswer, redirectAnswer } from "./answer.ts";
import { isFrame, isNavigation } from "./asked-as.ts";
import type { DoorContext } from "./door-context.ts";
import { brokenEmbedPage, embedPage, notFoundPage, postPage, shellPage, sharePage } from "./html-pages.ts";
import { toGraphNode } from "./graph-node.ts";
import { postAnswer } from "./post-data.ts";
import { reelView } from "../reels/reel-view.ts";
import { hostileShareTargets } from "../reels/share-links.ts";
import { isShown, type StandinReel } from "../reels/standin-reel.ts";

export async function answerPage(
  reel: StandinReel | undefined,
  headers: IncomingHttpHeaders,
  origin: string,
  context: DoorContext,
): Promise<Answer> {
  if (!isNavigation(headers)) return htmlAnswer(shellPage());
  if (!reel || reel.availability === "deleted" || reel.availability === "unknownToPage")
    return htmlAnswer(notFoundPage());
  const { links, token } = context;
  const url = `${origin}/reel/${reel.code}/`;
  const isPublic = reel.availability === "public";
  return htmlAnswer(
    postPage({
      reel: isPublic ? { ...reel, url, image: links.poster(reel, 0), body: reelView(reel, url, links) } : undefined,
      token,
      answer: reel.availability === "unknownToQuery" ? undefined : await postAnswer(reel, context),
    }),
  );
}

export function answerEmbed(
  reel: StandinReel | undefined,
  headers: IncomingHttpHeaders,
  origin: string,
  { links }: DoorContext,
): Answer {
  if (!isFrame(headers)) return htmlAnswer(shellPage());
  if (!reel || !isShown(reel)) return htmlAnswer(brokenEmbedPage());
  return htmlAnswer(
    embedPage({
      reel,
      url: `${origin}/reel/${reel.code}/`,
      image: links.poster(reel, 0),
      context: { type: "embed", gql_data: { shortcode_media: toGraphNode(reel, links) }, media: null },
    }),
  );
}

/** The platform has nothing like it: a dashboard beside the stand-in plays the reel by it. */
export function answerVideo(reel: StandinReel | undefined, { links }: DoorContext): Answer {
  const media = reel && isShown(reel) ? reel.media[0] : undefined;
  if (media?.type !== "video" || media.fault) return htmlAnswer(notFoundPage(), 404);
  const { status, headers, body } = redirectAnswer(links.video(reel!, 0));
  return { status, headers: { ...headers, "access-control-allow-origin": "*" }, body };
}

const looksLikeBrowser = /Mozilla\//;

/** Programs are sent on by one redirect; browsers get a page that finds its way by script. */
export function answerShare(id: string, reel: StandinReel | undefined, userAgent: string): Answer {
  const hostile = hostileShareTargets.get(id);
  if (hostile) return redirectAnswer(hostile.location);
  if (!reel) return htmlAnswer(notFoundPage(), 404);
  if (looksLikeBrowser.test(userAgent)) return htmlAnswer(sharePage());
  return redirectAnswer(`/reel/${reel.code}/?igsh=c3RhbmRpbg%3D%3D`);
}
