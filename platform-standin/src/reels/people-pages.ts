import { escapeHtml } from "../doors/markup.ts";
import type { MediaLinks } from "./media-links.ts";
import { reelUrl } from "./reel-url.ts";
import { specialGroups, specialReels } from "./special-reels.ts";
import type { StandinMedia, StandinReel } from "./standin-reel.ts";

const names = new Intl.DisplayNames("en", { type: "language" });

/** Reels without speech have the language `und`. */
const languageName = (language: string): string =>
  language === "und" ? "No speech" : (names.of(language) ?? language);

/** Formats a length as players do: `0:27`. */
function lengthOf(seconds: number): string {
  const whole = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const captionOf = (reel: StandinReel): string => reel.caption?.trim() || "No caption";

/** The address in a field, with a button that `copyScript` activates; without scripts, only the field is shown. */
const linkToCopy = (url: string, name: string): string =>
  `<div class="link"><input readonly dir="ltr" aria-label="Link of ${escapeHtml(name)}" value="${escapeHtml(url)}">` +
  `<button type="button" hidden aria-label="Copy the link of ${escapeHtml(name)}">Copy</button></div>`;

const copyScript = `<script>
for (const button of document.querySelectorAll(".link button")) {
  const field = button.previousElementSibling;
  button.hidden = false;
  button.onclick = async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { if (!document.execCommand("copy")) return; }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
}
</script>`;

/** The list of all reels for people: first the ones to try by language, then the test cases. */
export function reelIndex(reels: readonly StandinReel[], origin: string, links: MediaLinks): string {
  const byCode = new Map(reels.map((reel) => [reel.code, reel]));
  const special = specialGroups.map((group) => ({
    title: group.title,
    reels: group.reels.flatMap(({ code }) => byCode.get(code) ?? []),
  }));
  const specialReels = new Set(special.flatMap((group) => group.reels));
  const byLanguage = new Map<string, StandinReel[]>();
  for (const reel of reels)
    if (!specialReels.has(reel)) byLanguage.set(reel.language, [...(byLanguage.get(reel.language) ?? []), reel]);
  const chip = (id: string, title: string, count: number): string =>
    `<li><a href="#${id}">${escapeHtml(title)}<span class="meta">${count}</span></a></li>`;
  const sections = [...byLanguage].map(([language, ofLanguage]) => {
    const id = `language-${encodeURIComponent(language)}`;
    const title = languageName(language);
    const items = ofLanguage.map((reel) => reelItem(reel, origin, links)).join("");
    return {
      chip: chip(id, title, ofLanguage.length),
      section: `<section id="${id}"><h2>${escapeHtml(title)}</h2><ul class="reels">${items}</ul></section>`,
    };
  });
  const cases = special.map(
    ({ title, reels: caseReels }) =>
      `<h3>${escapeHtml(title)}</h3><ul class="cases">${caseReels.map((reel) => caseItem(reel, origin)).join("")}</ul>`,
  );
  const chips = [...sections.map((each) => each.chip), chip("special", "Special cases", specialReels.size)];
  return (
    "<main><h1>Reels to try</h1>" +
    '<p class="lead">This is a stand-in of the video platform, not the platform. It runs on this machine; its accounts, captions and counts are made up. Copy the link of a reel and have it transcribed.</p>' +
    `<nav aria-label="Groups"><ul>${chips.join("")}</ul></nav>${sections.map(({ section }) => section).join("")}` +
    '<section id="special"><h2>Special cases</h2><p class="meta">Odd forms, walls and failures, to see what becomes of them. Some never finish loading.</p>' +
    `${cases.join("")}</section></main>${copyScript}`
  );
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

/** The page of a post for people: its video, text, account and counts. */
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
  // a person's browser must not be sent to the addresses that a resolver must refuse
  if (fault?.name === "link" || fault?.name === "redirect" || fault?.name === "endedOnce")
    return `${still}<p class="meta">Its video is not shown here: ${escapeHtml(reel.note)}.</p>`;
  const preload = fault ? "none" : "metadata";
  return (
    `<video controls playsinline crossorigin="anonymous" preload="${preload}" width="${width}" height="${height}" ` +
    `poster="${poster}" src="${escapeHtml(links.video(reel, index))}"></video>`
  );
}
