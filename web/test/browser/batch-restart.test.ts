import { afterAll, beforeAll, expect, test } from "vitest";
import { press } from "../../../server/test/billing/payer.ts";
import { temporaryDatabase } from "../../../server/test/database/opened-stores.ts";
import { testDatabaseUrl } from "../../../server/test/database/test-database-url.ts";
import { freePort } from "../../../server/test/harness/free-port.ts";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { type Endpoint, startEndpoint } from "../../../server/test/harness/start-endpoint.ts";
import { programsOfTests } from "../../../server/test/harness/start-program.ts";
import { directoryOfTests } from "../../../server/test/harness/temporary-directory.ts";
import { cookiesOf, describeInBrowser, openContext, patience } from "./chromium-program.ts";

/** Reels of the stand-in in which somebody speaks. */
const codes =
  `CenAusten01 CenTourA060 CenCompany1 CenHalfMin1 CenWeasels1 CenConferen CenMusicBed CenAmiable1 CesFelicida
  CesPruebaEc CesConexion CesOcupados CfrFelicita CfrTestEcho CfrConnexio CfrPatience CitCongratu CitTestdiEc CitConnessi
  CitOccupati`.split(/\s+/);

describeInBrowser("a batch outlives its page and the process of the service", () => {
  const start = programsOfTests(directoryOfTests());
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await startEndpoint({
      text: "Every reel says the same to an endpoint.",
      language: "english",
      seconds: 9,
    });
  });
  afterAll(() => endpoint.close());

  /** The same places at each start, so that links and sessions hold. */
  async function settings(more: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
    return {
      PORT: String(await freePort()),
      STANDIN_PORT: String(await freePort()),
      TRANSCRIBER: "openai",
      OPENAI_BASE_URL: endpoint.baseUrl,
      OPENAI_API_KEY: "sk-endpoint",
      ...more,
    };
  }

  /** Somebody whose plan has room for all. */
  async function payer(url: string): Promise<SignedIn> {
    const person = await signIn({ url }, { email: "batches@example.com" });
    const { body } = await person.api("startCheckout", { plan: "hobby" });
    await press(body.url, "pay");
    await expect.poll(async () => (await person.api("getUsage")).body.plan).toBe("hobby");
    return person;
  }

  test("20 pasted links are done when the page reopens after crashes", async () => {
    const environment = await settings();
    // Until it takes the key again, every reel waits for the recognizer.
    endpoint.refusesKeys = true;
    const before = await start(environment);
    const { url, standin } = before;
    const person = await payer(url);
    const links = codes.map((code) => `${standin}/reel/${code}/`);

    const first = await openContext();
    await first.addCookies(cookiesOf(person, url));
    const page = await first.newPage();
    await page.goto(`${url}/app/transcribe`);
    await page.getByRole("textbox", { name: "Reel links" }).fill(`${links.join("\n")}\n${links[0]}?igsh=again`);
    await page.getByText("20 reels, 1 duplicate. Uses at most 20 of your 250 transcriptions.").waitFor();
    await page.getByRole("button", { name: "Transcribe 20 reels" }).click();
    await page.getByRole("heading", { name: /^Batch of 20: 0 done, 20 waiting/ }).waitFor();
    await page.getByText("You can close this page.").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByText("20 left").first().waitFor();
    await expect.poll(() => page.title()).toBe("0% · Transcribe · Reelscript");
    await first.close();

    await before.end("SIGKILL");
    endpoint.refusesKeys = false;
    await start(environment);
    const again = await openContext();
    await again.addCookies(cookiesOf(person, url));
    const reopened = await again.newPage();
    await reopened.goto(`${url}/app/transcribe`);
    await reopened.getByRole("heading", { name: "Batch of 20: 20 done." }).waitFor({ timeout: 2 * patience });
    await expect.poll(() => reopened.title()).toBe("Transcribe · Reelscript");
    await expect
      .poll(() =>
        reopened.getByRole("article", { name: "Batch of 20" }).getByRole("listitem").getByRole("link").count(),
      )
      .toBe(20);
    await again.close();
    expect((await person.api("getUsage")).body.transcriptions.used, "the sample reel is free").toBe(19);
    expect((await person.api("searchMyScripts")).body.total).toBe(20);
  });

  if (testDatabaseUrl === undefined) console.warn("SKIPPED: a batch on PostgreSQL needs TEST_DATABASE_URL");
  test.skipIf(testDatabaseUrl === undefined)(
    "a crash in the middle loses and repeats nothing on PostgreSQL",
    async () => {
      const database = await temporaryDatabase(testDatabaseUrl!);
      const environment = await settings({ DATABASE_URL: database.databaseUrl, NODE_ENV: "development" });
      endpoint.refusesKeys = true;
      const before = await start(environment);
      const { url, standin } = before;
      const person = await payer(url);
      const urls = codes.slice(0, 12).map((code) => `${standin}/reel/${code}/`);
      const { id } = (await person.api("createBatch", { urls })).body;
      const counts = async () => (await person.api("getBatch", { id })).body.counts;
      expect(await counts()).toMatchObject({ underWay: 8, waiting: 4 });
      endpoint.refusesKeys = false;
      await expect.poll(async () => (await counts()).done, { timeout: patience }).toBeGreaterThan(0);

      await before.end("SIGKILL");
      const after = await start(environment);
      await expect
        .poll(counts, { timeout: 2 * patience })
        .toMatchObject({ total: 12, done: 12, failed: 0, waiting: 0, underWay: 0 });
      expect((await person.api("getUsage")).body.transcriptions.used, "the sample reel is free").toBe(11);
      await after.end("SIGTERM");
      await database.drop();
    },
  );
});
