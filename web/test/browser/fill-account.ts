import type { ReelCollection } from "@reelscript/contract";
import { networkOf } from "../../../server/src/callers/authenticate.ts";
import { createCountBioVisits } from "../../../server/src/features/bio/visits/count-bio-visits.ts";
import { allowanceOf } from "../../../server/src/rules/allowance.ts";
import { press } from "../../../server/test/billing/payer.ts";
import {
  anAllowance,
  aReel,
  ask,
  mustClaim,
  transcriptOf,
  type Said,
} from "../../../server/test/database/conformance/fixtures.ts";
import { rest } from "../../../server/test/harness/rest.ts";
import type { ScriptedTranscriber, ScriptedSpeech } from "../../../server/test/harness/scripted-transcriber.ts";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import type { AddedReel } from "@reelscript/platform-standin";
import type { Transcript } from "../../../server/src/ports.ts";
import type { TestService } from "../../../server/test/harness/start-test-service.ts";
import { expect } from "vitest";
import type { Visits } from "./start-visits.ts";

export interface FullPerson {
  readonly person: SignedIn;
  readonly scriptIds: { readonly english: string; readonly arabic: string; readonly silent: string };
  readonly reportId: string;
  readonly keyId: string;
  readonly webhookId: string;
}

/** Somebody on a paid plan who has some of everything that pages show. */
export async function aFullPerson(service: TestService, email: string): Promise<FullPerson> {
  const person = await giveSession(service, {
    email,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
  });
  await giveSession(service, {
    email,
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1",
  });
  await press((await person.api("startCheckout", { plan: "creator" })).body.url, "pay");
  const { key, secret } = (await person.api("createKey", { name: "Notebook" })).body;
  await person.api("createKey", { name: "The agent that reads every reel of the week on Mondays" });
  for (const path of ["/scripts", "/usage", "/scripts/none", "/me", "/scripts?limit=0"])
    await rest(service.url, path, { key: secret });

  const scriptIds = await fillLibrary(service, person.accountId);
  const { id: reportId } = (await person.api("importReport", aCollection("lena.bakes"))).body;
  await person.api("importReport", aCollection("chai_ghar", 16));
  await person.api("importReport", aCollection("a.handle.of.thirty.characters.x", 4));
  await makeBioPage(service, person);
  // Last, so that nothing is sent there.
  const url = "https://hooks.example/reelscript/done-and-failed/of-every-transcription";
  const { webhook } = (await person.api("createWebhook", { url })).body;
  await person.api("createWebhook", { url: "https://hooks.example/second" });
  return { person, scriptIds, reportId, keyId: key.id, webhookId: webhook.id };
}

async function fillLibrary(service: TestService, accountId: string): Promise<FullPerson["scriptIds"]> {
  const handles = ["lena.bakes", "chai_ghar", "qahwa.daily", "a.handle.of.thirty.characters.x"];
  const spoken = service.standin.reels.filter(
    ({ kind, seconds }) => /^(synthesized)?speech$/i.test(kind) && seconds < 90,
  );
  const ids = new Map<string, string>();
  for (const [index, { text, seconds, language }] of spoken.entries()) {
    const sentences = text.split(/(?<=[.!?।؟])\s+/u);
    const step = seconds / sentences.length;
    const segments = sentences.map((sentence, line) => ({
      start: line * step,
      end: (line + 1) * step,
      text: sentence,
    }));
    const views = index % 7 === 3 ? null : 300 * (index + 1) ** 3;
    const said = { text, handle: handles[index % handles.length]!, views, likes: views && views / 20, comments: index };
    const caption = index % 2 === 0 ? `From the series: part ${index} #reels` : null;
    ids.set(language, await addScript(service, accountId, { ...said, caption }, { segments, language, seconds }));
  }
  const silent = await addScript(
    service,
    accountId,
    { text: "", handle: "quiet.hands", views: 12 },
    { segments: [], language: "und" },
  );
  return { english: ids.get("en") ?? "", arabic: ids.get("ar") ?? "", silent };
}

async function makeBioPage(service: TestService, person: SignedIn): Promise<void> {
  const { body } = await person.api("updateBioPage", {
    displayName: "Lena Bakes",
    bio: "Bread with few words. Lisbon, mostly before seven in the morning.",
    links: [
      { type: "header", title: "Learn" },
      { title: "The sourdough course", url: "https://example.com/course", highlighted: true },
      { title: "Book a table, Lisbon", url: "https://example.com/table" },
      { title: "خبز الصباح", url: "https://example.com/arabic" },
      { title: "Old newsletter", url: "https://example.com/letter", enabled: false },
    ],
    socials: [{ platform: "instagram", url: "https://www.instagram.com/lenabakes/" }],
  });
  await person.api("claimBioHandle", { handle: "lenabakes" });
  const links = (body.links as { id: string; type: string }[])
    .filter(({ type }) => type === "link")
    .map(({ id }) => id);
  const sources = ["https://www.instagram.com/", "https://www.google.com/", undefined];
  await visitBioPage(
    service,
    person.accountId,
    Array.from({ length: 90 }, (_, index) => ({
      daysAgo: (index * 7) % 29,
      number: index + 1,
      onPhone: index % 4 !== 0,
      country: ["PT", "IN", "BR", "DE"][index % 4]!,
      ...(sources[index % 3] !== undefined && { referrer: sources[index % 3]! }),
      clicks: index % 3 === 0 ? [links[index % 2]!] : [],
    })),
  );
}

/** Puts a script into the library of an account as the worker would, and gives its id. */
export async function addScript(
  { store, clock }: TestService,
  accountId: string,
  said: Said,
  changes: Partial<Transcript> = {},
): Promise<string> {
  const now = clock.now();
  const reel = aReel();
  const outcome = await ask(store, reel, anAllowance(accountId, { limit: 1_000_000, slot: 5 }), { now });
  if (outcome.kind !== "started") throw new Error(`not started: ${outcome.kind}`);
  const transcript = { ...transcriptOf(reel, said, now), ...changes };
  if (!(await store.transcriptions.complete(await mustClaim(store, now), transcript, false, now)))
    throw new Error("not stored");
  const [newest] = (await store.scripts.search(accountId, { sort: "date", limit: 1 })).scripts;
  return newest?.id ?? "";
}

/** Has fresh reels transcribed with the key of a slot; 0 is people's. */
export async function useTranscriptions(
  { store, clock }: TestService,
  accountId: string,
  { slot, units }: { readonly slot: number; readonly units: number },
): Promise<void> {
  const account = await store.accounts.find(accountId);
  for (let unit = 0; unit < units; unit += 1) {
    await ask(store, aReel(), allowanceOf(account!, slot, "key", clock.now()), { now: clock.now() });
    const claim = await mustClaim(store, clock.now());
    await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, clock.now());
  }
}

let readers = 0;

/** Somebody new who looks at a script of a reel in which that was heard. */
export async function openScript(
  visits: Visits,
  transcriber: ScriptedTranscriber,
  speech: ScriptedSpeech,
  { search = "", reel, isOutdated = false }: { search?: string; reel?: AddedReel; isOutdated?: boolean } = {},
) {
  const email = `reader-of-one${(readers += 1)}@example.com`;
  const visitor = await visits.openAs(email);
  const { person, page } = visitor;
  transcriber.tell(speech);
  expect((await person.api("transcribeReel", { url: visits.service.newReel(reel) })).status).toBe(200);
  if (isOutdated) transcriber.revision += 1;
  const [{ id }] = (await person.api("searchMyScripts", {})).body.scripts as [{ id: string }];
  await page.goto(`${visits.service.url}/app/scripts/${id}${search}`);
  const transcript = async (): Promise<string> => (await person.api("getScript", { id })).body.transcript;
  return { ...visitor, email, id, transcript };
}

const captions = [
  "Three questions before any hook #hooks #reels",
  "Why I deleted half of my drafts",
  "قبل أن تصور: اكتب جملة واحدة #reels",
  "Bread, with few words. The dough tells you when it is ready, and nobody who sells timers likes to hear that.",
  "आज की चाय #chai",
  "The first second decides",
];

/** Reels of an account over twelve weeks: enough for every chart of a report, the same in every run. */
export function aCollection(handle: string, count = 48): ReelCollection {
  const first = Date.UTC(2026, 7, 3, 5);
  // A walk that looks like chance but isn't.
  const scattered = (index: number, most: number): number => (index * 7_919 + 104_729) % most;
  return {
    handle,
    timezone: "Europe/Lisbon",
    collectedAt: "2026-11-02T10:00:00Z",
    reels: Array.from({ length: count }, (_, index) => {
      const views = 4_000 + scattered(index, 61_000) + (index % 11 === 0 ? 180_000 : 0);
      const hour = [5, 5, 12, 17, 5, 20][index % 6] ?? 5;
      return {
        url: `https://www.instagram.com/reel/${handle.replaceAll(".", "")}${index}/`,
        caption: captions[index % captions.length] ?? "",
        views,
        likes: Math.round(views / (14 + scattered(index, 9))),
        comments: scattered(index, 400),
        postedAt: new Date(first + index * 1.75 * 86_400_000 + (hour - 5) * 3_600_000).toISOString(),
        durationSeconds: 9 + scattered(index, 70),
      };
    }),
  };
}

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const laptop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Safari/537.36";

interface BioVisitor {
  readonly daysAgo: number;
  /** Tells visitors apart. */
  readonly number: number;
  readonly onPhone?: boolean;
  readonly referrer?: string;
  readonly country?: string;
  /** Links to click after looking. */
  readonly clicks?: readonly string[];
}

/** Views of a bio page and clicks on its links, counted by the same rules as those of strangers. */
export async function visitBioPage(
  { store, clock }: TestService,
  accountId: string,
  visitors: readonly BioVisitor[],
): Promise<void> {
  const { id = "" } = await store.bioPages.read(accountId);
  for (const { daysAgo, number, onPhone = true, referrer, country = null, clicks = [] } of visitors) {
    const moment = new Date(clock.now().getTime() - daysAgo * 86_400_000);
    const { note, write } = createCountBioVisits({
      bioEvents: store.bioEvents,
      clock: { now: () => moment },
      onFault(error) {
        throw error;
      },
    });
    for (const linkId of [null, ...clicks])
      note({
        bioId: id,
        linkId,
        method: "GET",
        network: networkOf(`203.0.113.${number}`),
        host: "reelscript.example",
        owner: false,
        country,
        headers: { "user-agent": onPhone ? phone : laptop, ...(referrer !== undefined && { referer: referrer }) },
      });
    await write();
  }
}
