import { type Answer, htmlAnswer, redirectAnswer } from "./answer.ts";
import { brokenEmbedPage, embedPage, notFoundPage, postPage, sharePage } from "./html-pages.ts";
import { type DoorContext, pageCacheData } from "./json-doors.ts";
import { toGraphNode } from "./graph-node.ts";
import { reelView } from "../reels/reel-view.ts";
import { hostileShareTargets } from "../reels/share-links.ts";
import type { StandinReel } from "../reels/standin-reel.ts";

export function answerPage(reel: StandinReel | undefined, path: string, origin: string, context: DoorContext): Answer {
  if (!reel || reel.availability === "deleted") return htmlAnswer(notFoundPage(), 404);
  if (reel.availability !== "public") return redirectAnswer(`/accounts/login/?next=${encodeURIComponent(path)}`);
  const url = `${origin}/reel/${reel.code}/`;
  return htmlAnswer(
    postPage({
      reel,
      url,
      image: context.links.poster(reel, 0),
      lsd: context.lsd,
      cached: context.shape === "new" ? pageCacheData(reel, context.links) : undefined,
      body: reelView(reel, url, context.links),
    }),
  );
}

export function answerEmbed(reel: StandinReel | undefined, origin: string, context: DoorContext): Answer {
  if (reel?.availability !== "public") return htmlAnswer(brokenEmbedPage());
  return htmlAnswer(
    embedPage({
      reel,
      url: `${origin}/reel/${reel.code}/`,
      image: context.links.poster(reel, 0),
      context: { type: "embed", gql_data: { shortcode_media: toGraphNode(reel, context.links) }, media: null },
    }),
  );
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
