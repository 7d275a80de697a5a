import { keysPerAccount, languages, plans } from "@reelscript/contract";
import { markup, type Markup } from "../../markup.ts";
import { publicDocument } from "./public-document.ts";

const count = new Intl.NumberFormat("en-US");

/** What the service does and costs, for people who are not signed in. */
export const homePage = (): string =>
  publicDocument({
    title: "Reelscript: read what reels say",
    description:
      "Transcripts of short videos that you can search, reports on accounts you follow, and an API for it all.",
    body: markup`<section class="wrap hero"><div><h1>Read what reels say</h1><p class="lead">Paste a reel link and get its words in about half a minute. Search everything you have transcribed, and see what works for the accounts you follow.</p><a class="action" href="/app">Start free</a><p class="hint">${plans.free.transcriptions} transcriptions free. No card.</p></div><div class="stage" aria-hidden="true"><p><span>Nobody tells you this</span></p><p><span class="said">about your first second.</span></p><p><span>Say the ending first.</span></p><p><span>Then earn it.</span></p></div></section><section class="band"><ul class="wrap three"><li><h2>Words you can search</h2><p>Every transcript keeps its times, so a search takes you to the second it is said. Export text or subtitles. ${Object.keys(languages).length} languages.</p></li><li><h2>Reports you can trust</h2><p>Best posting times, top reels and three to five takeaways, each with its numbers. What isn’t certain is left out.</p></li><li><h2>Made for agents too</h2><p>REST, MCP, a typed client and a command line, all with the same key. Reels someone already transcribed are free.</p></li></ul></section><section class="wrap prices" id="pricing"><h2>Pricing</h2><ul class="three">${Object.entries(plans).map(([id, plan]) => planCard(id, plan))}</ul></section>`,
  });

function planCard(
  id: string,
  { name, dollarsPerMonth, transcriptions, posts, period }: (typeof plans)[keyof typeof plans],
): Markup {
  const each = period === "lifetime" ? ", one time" : " a month";
  return markup`<li class="plan"><h3>${name}</h3><p class="price">$${dollarsPerMonth} <small>${dollarsPerMonth === 0 ? "no card" : "a month"}</small></p><ul><li>${count.format(transcriptions)} transcriptions${each}</li><li>${posts === null ? "Unlimited posts analyzed" : `${count.format(posts)} posts analyzed${each}`}</li><li>${keysPerAccount} API keys, REST and MCP</li></ul><p><a class="${dollarsPerMonth === 0 ? "action" : "action quiet"}" href="${dollarsPerMonth === 0 ? "/app" : `/app/usage?plan=${id}`}">${dollarsPerMonth === 0 ? "Start free" : `Choose ${name}`}</a></p></li>`;
}
