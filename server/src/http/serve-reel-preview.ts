import type { FastifyInstance } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import type { PreviewReel } from "../features/transcription/preview-reel.ts";
import { seemsSignedIn } from "./public-pages/public-document.ts";
import {
  previewHeaders,
  reelPreviewPage,
  samplePage,
  signInPath,
  transcribePath,
} from "./public-pages/reel-preview-page.ts";

export interface ReelPreviewNeeds {
  readonly previewReel: PreviewReel;
}

const longestUrl = 2_000;

/**
 * Answers the field for a link on public pages: people who seem to be signed in transcribe it, others see how it begins
 * if somebody has transcribed it, and sign in for everything else; the link stays with them. Without a link: the sample.
 */
export function serveReelPreview(app: FastifyInstance, { previewReel }: ReelPreviewNeeds): void {
  app.get("/try", async (request, reply) => {
    const { url } = request.query as { url?: unknown };
    reply.headers(previewHeaders);
    if (typeof url !== "string" || url.trim() === "") return reply.send(samplePage());
    const link = url.trim().slice(0, longestUrl);
    if (seemsSignedIn(request.headers.cookie)) return reply.redirect(transcribePath(link), 302);
    const preview = await previewReel(link, networkOf(request.ip));
    return preview.kind === "beginning"
      ? reply.send(reelPreviewPage(link, preview.beginning, preview.previewSeconds))
      : reply.redirect(signInPath(link), 302);
  });
}
