import type { IncomingHttpHeaders } from "node:http";
import { type Answer, jsonAnswer } from "./answer.ts";
import type { MediaLinks } from "../reels/media-links.ts";
import { toMediaItem } from "./media-item.ts";
import { toGraphNode } from "./graph-node.ts";
import type { StandinReel } from "../reels/standin-reel.ts";

/** The stored query of the logged-out post page (asked by `media_id`). */
const newShapeDocument = "27130156389949648";
/** The stored query of before (asked by `shortcode`). */
const oldShapeDocument = "8845758582119845";

export interface DoorContext {
  readonly shape: "old" | "new";
  readonly lsd: string;
  readonly csrf: string;
  readonly links: MediaLinks;
  readonly byMediaId: (mediaId: string) => StandinReel | undefined;
  readonly byCode: (code: string) => StandinReel | undefined;
}

const fail = (status: number, message: string): Answer => jsonAnswer({ message, status: "fail" }, status);

export function answerRuling(reel: StandinReel | undefined, context: DoorContext): Answer {
  const gated = reel?.availability === "ageGated";
  const answer = jsonAnswer({
    title: gated ? "Restricted Video" : "",
    description: gated ? "You must be 18 years old or over to see this video" : "",
    status: "ok",
  });
  answer.headers["set-cookie"] = `csrftoken=${context.csrf}; Path=/; Max-Age=31449600; SameSite=Lax`;
  return answer;
}

function newShapeData(reel: StandinReel | undefined, links: MediaLinks): unknown {
  if (!reel || reel.availability === "deleted") return { xig_polaris_media: null };
  const shown = reel.availability === "public" ? toMediaItem(reel, links) : null;
  return { xig_polaris_media: { id: reel.mediaId, if_not_gated_logged_out: shown } };
}

function oldShapeData(reel: StandinReel | undefined, links: MediaLinks): unknown {
  if (!reel || reel.availability === "deleted" || reel.availability === "private") return { xdt_shortcode_media: null };
  const media = toGraphNode(reel, links);
  if (reel.availability === "public") return { xdt_shortcode_media: media };
  const gating = {
    gating_type: "age_gating",
    title: "Restricted Video",
    description: "You must be 18 years old or over",
  };
  return { xdt_shortcode_media: { ...media, video_url: null, gating_info: gating } };
}

/** What the query cache of the post's page holds: the new shape only. */
export const pageCacheData = newShapeData;

export interface GraphqlQuery {
  readonly document: string;
  readonly mediaId?: string;
  readonly code?: string;
  readonly lsd: string | undefined;
}

/** Reads the form of a stored query; undefined when it is not one. */
export function readGraphqlQuery(form: URLSearchParams): GraphqlQuery | undefined {
  try {
    const variables: unknown = JSON.parse(form.get("variables") ?? "");
    if (typeof variables !== "object" || variables === null) return undefined;
    const { media_id: mediaId, shortcode } = variables as { media_id?: unknown; shortcode?: unknown };
    return {
      document: form.get("doc_id") ?? "",
      lsd: form.get("lsd") ?? undefined,
      ...(typeof mediaId === "string" ? { mediaId } : {}),
      ...(typeof shortcode === "string" ? { code: shortcode } : {}),
    };
  } catch {
    return undefined;
  }
}

function holdsCsrf(headers: IncomingHttpHeaders, csrf: string): boolean {
  const cookies = (headers.cookie ?? "").split(/;\s*/);
  return headers["x-csrftoken"] === csrf && cookies.includes(`csrftoken=${csrf}`);
}

export function answerGraphql(query: GraphqlQuery, headers: IncomingHttpHeaders, context: DoorContext): Answer {
  const { shape, links } = context;
  const wanted = shape === "new" ? newShapeDocument : oldShapeDocument;
  if (query.document !== wanted) return fail(400, `The document ${query.document.slice(0, 40)} was not found`);
  if (shape === "old")
    return jsonAnswer({ data: oldShapeData(query.code ? context.byCode(query.code) : undefined, links), status: "ok" });

  if (!holdsCsrf(headers, context.csrf)) return fail(403, "CSRF token missing or incorrect");
  if ((query.lsd ?? headers["x-fb-lsd"]) !== context.lsd) return fail(403, "LSD token missing or incorrect");
  const reel = query.mediaId ? context.byMediaId(query.mediaId) : undefined;
  return jsonAnswer({ data: newShapeData(reel, links), extensions: { is_final: true } });
}

export function answerInfo(reel: StandinReel | undefined, context: DoorContext): Answer {
  if (reel?.availability !== "public") return fail(404, "Media not found or unavailable");
  return jsonAnswer({ items: [toMediaItem(reel, context.links)], num_results: 1, more_available: false, status: "ok" });
}

/** Meta's read-only answer of today: the frame's HTML and its measures, no author and no thumbnail. */
export function answerOembed(reel: StandinReel | undefined, url: string): Answer {
  if (reel?.availability !== "public") return fail(404, "No media match");
  const html = `<blockquote class="instagram-media" data-instgrm-permalink="${url.replaceAll('"', "")}"></blockquote>`;
  return jsonAnswer({ version: "1.0", provider_name: "Stand-in", type: "rich", width: 658, height: null, html });
}
