import { type Answer, htmlAnswer, jsonAnswer } from "./answer.ts";
import { escapeHtml, scriptJson } from "./markup.ts";
import type { DoorContext } from "./json-doors.ts";
import { notFoundPage, profileDocument } from "./html-pages.ts";
import { toGraphNode } from "./graph-node.ts";
import { toMediaItem } from "./media-item.ts";
import type { StandinProfile } from "../reels/profiles.ts";

/** Reels that a profile loads at a time. */
const pageSize = 12;
/** The stored query by which a profile loads more of its reels. */
const profileDocumentId = "9310670392322965";

/** A part of a profile's reels, in the shape that is served. */
function profileData(profile: StandinProfile, after: number, { shape, links }: DoorContext): unknown {
  const shown = profile.isPrivate ? [] : profile.reels.slice(after, after + pageSize);
  const end = after + shown.length;
  const pageInfo = { has_next_page: !profile.isPrivate && end < profile.reels.length, end_cursor: String(end) };
  const user = { id: profile.id, username: profile.handle, is_private: profile.isPrivate };
  if (shape === "old")
    return {
      user: {
        ...user,
        edge_owner_to_timeline_media: {
          count: profile.reels.length,
          page_info: pageInfo,
          edges: shown.map((reel) => ({ node: toGraphNode(reel, links) })),
        },
      },
    };
  return {
    user,
    xdt_api__v1__clips__user__connection_v2: {
      edges: shown.map((reel) => ({ node: { media: toMediaItem(reel, links) }, cursor: reel.mediaId })),
      page_info: pageInfo,
    },
  };
}

/** Which reels a profile asks for; undefined for every other stored query. */
export function readProfileQuery(form: URLSearchParams): { handle: string; after: number } | undefined {
  if (form.get("doc_id") !== profileDocumentId) return undefined;
  try {
    const { username, after } = JSON.parse(form.get("variables") ?? "") as { username?: unknown; after?: unknown };
    const from = Number(after ?? 0);
    return typeof username === "string" && Number.isInteger(from) && from >= 0
      ? { handle: username, after: from }
      : undefined;
  } catch {
    return undefined;
  }
}

export const answerProfileList = (profile: StandinProfile | undefined, after: number, context: DoorContext): Answer =>
  profile === undefined
    ? jsonAnswer({ message: "User not found", status: "fail" }, 404)
    : jsonAnswer({ data: profileData(profile, after, context), status: "ok" });

/** The page carries the first reels itself and loads more of them while it is scrolled, as the platform's does. */
export function answerProfilePage(profile: StandinProfile | undefined, context: DoorContext): Answer {
  if (profile === undefined) return htmlAnswer(notFoundPage(), 404);
  const first = scriptJson({ require: [["RelayPrefetchedStreamCache", { data: profileData(profile, 0, context) }]] });
  const handle = escapeHtml(profile.handle);
  return htmlAnswer(
    profileDocument(
      profile.handle,
      `<script type="application/json" data-sjs id="first">${first}</script>`,
      `<main><h1><bdi>@${handle}</bdi></h1><p class="meta" id="state">${profile.isPrivate ? "This account is private" : ""}</p>` +
        `<div class="grid" data-handle="${handle}"></div></main><script>${gridScript}</script>`,
    ),
  );
}

const gridScript = `
const grid = document.querySelector(".grid");
let next = null, busy = false;
function find(value, name) {
  if (typeof value !== "object" || value === null) return undefined;
  if (name in value) return value[name];
  for (const inner of Object.values(value)) { const found = find(inner, name); if (found !== undefined) return found; }
}
function show(answer) {
  for (const { node } of find(answer, "edges") ?? []) {
    const media = node.media ?? node;
    const code = media.code ?? media.shortcode ?? media.entry_code;
    const link = document.createElement("a");
    link.href = "/reel/" + code + "/";
    const image = document.createElement("img");
    image.alt = "";
    image.crossOrigin = "anonymous";
    image.src = media.display_url ?? media.image_versions2.candidates[0].url;
    link.append(image);
    grid.append(link);
  }
  const info = find(answer, "page_info");
  next = info?.has_next_page ? info.end_cursor : null;
}
async function more() {
  if (busy || next === null || scrollY + innerHeight < document.documentElement.scrollHeight - 400) return;
  busy = true;
  try {
    const variables = JSON.stringify({ username: grid.dataset.handle, after: next });
    const answer = await fetch("/graphql/query", { method: "POST", body: new URLSearchParams({ doc_id: "${profileDocumentId}", variables }) });
    if (answer.ok) show(await answer.json());
    else setTimeout(more, 1000);
  } catch { setTimeout(more, 1000); }
  busy = false;
}
show(JSON.parse(document.querySelector("#first").textContent));
addEventListener("scroll", more);
more();`;
