import { press } from "../../../server/test/billing/payer.ts";
import { rest } from "../../../server/test/harness/rest.ts";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import type { TestService } from "../../../server/test/harness/start-test-service.ts";
import { aCollection } from "./a-collection.ts";
import { addScript } from "./add-script.ts";
import { visitBioPage } from "./visit-bio-page.ts";

export interface FullPerson {
  readonly person: SignedIn;
  readonly scriptIds: { readonly english: string; readonly arabic: string; readonly silent: string };
  readonly reportId: string;
  readonly keyId: string;
  readonly webhookId: string;
}

/** Somebody on a paid plan who has some of everything that pages show. */
export async function aFullPerson(service: TestService, email: string): Promise<FullPerson> {
  const person = await signIn(service, { email, userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
  await signIn(service, {
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
    const segments = sentences.map((sentence, place) => ({
      start: place * step,
      end: (place + 1) * step,
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
