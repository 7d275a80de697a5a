import { copyScript, linkToCopy } from "./link-to-copy.ts";
import { escapeHtml } from "../doors/markup.ts";
import type { MediaLinks } from "./media-links.ts";
import { captionOf, languageName, lengthOf } from "./reel-facts.ts";
import { reelUrl } from "./reel-url.ts";
import { specialGroups } from "./special-reels.ts";
import type { StandinReel } from "./standin-reel.ts";

interface Section {
  readonly id: string;
  readonly title: string;
  readonly reels: readonly StandinReel[];
}

/** The list of all reels for people: those to try by language, then those that stand for something. */
export function reelIndex(reels: readonly StandinReel[], origin: string, links: MediaLinks): string {
  const special = specialSections(reels);
  const named = new Set(special.flatMap((section) => section.reels));
  const ordinary = sectionsByLanguage(reels.filter((reel) => !named.has(reel)));
  const chips = [...ordinary, { id: "special", title: "Special cases", reels: [...named] }]
    .map(
      ({ id, title, reels: { length } }) =>
        `<li><a href="#${id}">${escapeHtml(title)}<span class="meta">${length}</span></a></li>`,
    )
    .join("");
  const toTry = ordinary
    .map(
      ({ id, title, reels: listed }) =>
        `<section id="${id}"><h2>${escapeHtml(title)}</h2>` +
        `<ul class="reels">${listed.map((reel) => reelItem(reel, origin, links)).join("")}</ul></section>`,
    )
    .join("");
  const cases = special
    .map(
      ({ title, reels: listed }) =>
        `<h3>${escapeHtml(title)}</h3><ul class="cases">${listed.map((reel) => caseItem(reel, origin)).join("")}</ul>`,
    )
    .join("");
  return (
    "<main><h1>Reels to try</h1>" +
    '<p class="lead">This is a stand-in of the video platform, not the platform. It runs on this machine; its accounts, captions and counts are made up. Copy the link of a reel and have it transcribed.</p>' +
    `<nav aria-label="Groups"><ul>${chips}</ul></nav>${toTry}` +
    '<section id="special"><h2>Special cases</h2><p class="meta">Odd forms, walls and failures, to see what becomes of them. Some never finish loading.</p>' +
    `${cases}</section></main>${copyScript}`
  );
}

function sectionsByLanguage(reels: readonly StandinReel[]): Section[] {
  const byLanguage = new Map<string, StandinReel[]>();
  for (const reel of reels) byLanguage.set(reel.language, [...(byLanguage.get(reel.language) ?? []), reel]);
  return [...byLanguage].map(([language, listed]) => ({
    id: `language-${encodeURIComponent(language)}`,
    title: languageName(language),
    reels: listed,
  }));
}

function specialSections(reels: readonly StandinReel[]): Section[] {
  const byCode = new Map(reels.map((reel) => [reel.code, reel]));
  return specialGroups.map(({ title, reels: specials }) => ({
    id: "special",
    title,
    reels: specials.flatMap(({ code }) => byCode.get(code) ?? []),
  }));
}

function reelItem(reel: StandinReel, origin: string, links: MediaLinks): string {
  const url = reelUrl(origin, reel);
  const { username } = reel.owner;
  return (
    '<li class="reel">' +
    `<a class="cue" href="${escapeHtml(url)}" tabindex="-1" aria-hidden="true"><img crossorigin="anonymous" loading="lazy" alt="" src="${escapeHtml(links.poster(reel, 0))}"></a>` +
    '<div class="said">' +
    `<a class="words" dir="auto" lang="${escapeHtml(reel.language)}" href="${escapeHtml(url)}">${escapeHtml(captionOf(reel))}</a>` +
    `<p class="meta"><bdi>@${escapeHtml(username)}</bdi> · ${escapeHtml(languageName(reel.language))} · ${lengthOf(reel.seconds)}</p>` +
    `${linkToCopy(url, `@${username}: ${captionOf(reel).slice(0, 60)}`)}</div></li>`
  );
}

function caseItem(reel: StandinReel, origin: string): string {
  const url = reelUrl(origin, reel);
  return (
    `<li><div><a href="${escapeHtml(url)}">${escapeHtml(reel.note)}</a><br><code>${escapeHtml(reel.kind)}</code></div>` +
    `${linkToCopy(url, reel.kind)}</li>`
  );
}
