import { copyScript, linkToCopy } from "./link-to-copy.ts";
import { escapeHtml } from "../doors/markup.ts";
import type { MediaLinks } from "./media-links.ts";
import { captionOf, languageName, lengthOf } from "./reel-facts.ts";
import { specialReels } from "./special-reels.ts";
import type { StandinMedia, StandinReel } from "./standin-reel.ts";

/** What a person sees of a post: its film, words, account and counts. */
export function reelView(reel: StandinReel, url: string, links: MediaLinks): string {
  const { owner, coauthors, music } = reel;
  const accounts = [owner, ...coauthors].map(({ username }) => `<bdi>@${escapeHtml(username)}</bdi>`).join(", ");
  const day = new Date(reel.takenAt * 1_000).toISOString().slice(0, 10);
  const facts = [languageName(reel.language), lengthOf(reel.seconds), `<time datetime="${day}">${day}</time>`];
  if (music) facts.push(`<bdi>${escapeHtml(`${music.title}, ${music.artist}`)}</bdi>`);
  return (
    '<main><p class="meta"><a href="/">All reels</a> · a stand-in of the video platform; accounts and counts are made up</p>' +
    `<div class="post"><div class="film">${reel.media.map((media, index) => film(reel, media, index, links)).join("")}</div>` +
    `<div class="about"><div><h1><bdi>${escapeHtml(owner.fullName)}</bdi></h1><p class="meta">${accounts}</p></div>` +
    `<p class="caption" dir="auto" lang="${escapeHtml(reel.language)}">${escapeHtml(captionOf(reel))}</p>` +
    `<p class="meta">${facts.join(" · ")}</p>` +
    `<dl class="counts">${count("Views", reel.views)}${count("Plays", reel.plays)}${count("Likes", reel.likes)}${count("Comments", reel.comments)}</dl>` +
    linkToCopy(url, "this reel") +
    `<p class="meta">${specialCodes.has(reel.code) ? `Special case: ${escapeHtml(reel.note)}. ` : ""}Sound: ${escapeHtml(reel.origin)} (${escapeHtml(reel.license)}).</p>` +
    `</div></div></main>${copyScript}`
  );
}

const specialCodes: ReadonlySet<string> = new Set(specialReels.map(({ code }) => code));
const numbers = new Intl.NumberFormat("en");

const count = (name: string, value: number | null): string =>
  `<div><dt>${name}</dt><dd>${value === null ? "not told" : numbers.format(value)}</dd></div>`;

function film(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): string {
  const poster = escapeHtml(links.poster(reel, index));
  const { width, height, fault } = media;
  const still = `<img crossorigin="anonymous" width="${width}" height="${height}" alt="" src="${poster}">`;
  if (media.type === "photo") return still;
  // a person's browser is not to be led to the addresses that a resolver must refuse
  if (fault?.name === "link" || fault?.name === "redirect" || fault?.name === "endedOnce")
    return `${still}<p class="meta">Its video is not shown here: ${escapeHtml(reel.note)}.</p>`;
  const preload = fault ? "none" : "metadata";
  return (
    `<video controls playsinline crossorigin="anonymous" preload="${preload}" width="${width}" height="${height}" ` +
    `poster="${poster}" src="${escapeHtml(links.video(reel, index))}"></video>`
  );
}
