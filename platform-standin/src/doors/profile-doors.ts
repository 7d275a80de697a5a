import type { IncomingHttpHeaders } from "node:http";
import { type Answer, failAnswer, htmlAnswer, jsonAnswer } from "./answer.ts";
import { isNavigation, isSignedIn } from "./asked-as.ts";
import { notFoundPage, profileDocument, shellPage } from "./html-pages.ts";
import { escapeHtml } from "./markup.ts";
import { itemForAccount, listedNode } from "./post-data.ts";
import type { StandinProfile } from "../reels/reel-registry.ts";
import type { Site } from "./site.ts";

/** The stored queries with which a profile loads more of its reels. */
export const profileDocuments = { visitor: "27553725110923321", account: "9310670392322965" } as const;
/** Reels that a profile loads per request. */
const pageSize = 12;

/** A page of a profile's reels: without counts and dates for visitors, with them for signed-in users. */
async function profileData(
  profile: StandinProfile,
  after: number,
  isForAccount: boolean,
  site: Site,
): Promise<unknown> {
  const reels = profile.isPrivate ? [] : profile.reels.slice(after, after + pageSize);
  const end = after + reels.length;
  const pageInfo = { has_next_page: !profile.isPrivate && end < profile.reels.length, end_cursor: String(end) };
  const user = { pk: profile.id, username: profile.handle, is_private: profile.isPrivate };
  if (isForAccount) {
    const edges = reels.map(async (reel) => ({ node: { media: await itemForAccount(reel, site) } }));
    return {
      user,
      xdt_api__v1__clips__user__connection_v2: { edges: await Promise.all(edges), page_info: pageInfo },
    };
  }
  const edges = reels.map((reel) => ({ node: listedNode(reel, site.links) }));
  return {
    xig_user_by_username: { ...user, polaris_ordered_timeline_connection: { edges, page_info: pageInfo } },
  };
}

export async function answerProfileList(
  profile: StandinProfile | undefined,
  after: number,
  isForAccount: boolean,
  site: Site,
): Promise<Answer> {
  return profile === undefined
    ? failAnswer(404, "User not found")
    : jsonAnswer({ data: await profileData(profile, after, isForAccount, site), status: "ok" });
}

/** The page contains the first reels and loads more during scrolling, like the platform's. */
export async function answerProfilePage(
  profile: StandinProfile | undefined,
  headers: IncomingHttpHeaders,
  site: Site,
): Promise<Answer> {
  if (!isNavigation(headers)) return htmlAnswer(shellPage());
  if (profile === undefined) return htmlAnswer(notFoundPage());
  const handle = escapeHtml(profile.handle);
  const isForAccount = isSignedIn(headers);
  const body =
    `<main><h1><bdi>@${handle}</bdi></h1><p class="meta" id="state">${profile.isPrivate ? "This account is private" : ""}</p>` +
    `<div class="grid" data-handle="${handle}"></div></main>` +
    `<script>${gridScript(site.token, profileDocuments[isForAccount ? "account" : "visitor"])}</script>`;
  const list = { data: await profileData(profile, 0, isForAccount, site) };
  return htmlAnswer(profileDocument(profile.handle, site.token, list, body));
}

const gridScript = (token: string, document: string): string => `
const grid = document.querySelector(".grid");
let next = null, busy = false;
function find(value, name) {
  if (typeof value !== "object" || value === null) return undefined;
  if (name in value) return value[name];
  for (const inner of Object.values(value)) { const match = find(inner, name); if (match !== undefined) return match; }
}
function show(answer) {
  for (const { node } of find(answer, "edges") ?? []) {
    const media = node.media ?? node;
    const code = media.code ?? media.entry_code;
    const link = document.createElement("a");
    link.href = "/reel/" + code + "/";
    const image = document.createElement("img");
    image.alt = "";
    image.crossOrigin = "anonymous";
    image.src = media.display_uri;
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
    const headers = { "x-ig-app-id": "936619743392459", "x-asbd-id": "359341", "x-fb-lsd": "${token}", "x-fb-friendly-name": "PolarisProfileQuery" };
    const body = new URLSearchParams({ lsd: "${token}", doc_id: "${document}", variables });
    const answer = await fetch("/graphql/query", { method: "POST", headers, body });
    if (answer.ok) show(await answer.json());
    else setTimeout(more, 1000);
  } catch { setTimeout(more, 1000); }
  busy = false;
}
show(JSON.parse(document.querySelector("#first").textContent));
addEventListener("scroll", more);
more();`;
