import { expect, test } from "vitest";
import { aReel, transcribe } from "../database/conformance/fixtures.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

async function addScript(accountId: string, language: string, seconds: number, platform = "standin"): Promise<void> {
  const said = { text: `the hook of ${seconds}`, handle: "ana-coffee" };
  const address = { ...aReel(), platform };
  await transcribe(service.store, accountId, said, service.clock.now(), { address, language, seconds });
}

test("a list is narrowed to a language and a length over REST, and says which there are", async () => {
  const { accountId, key } = await service.createCaller();
  await addScript(accountId, "ta", 44);
  await addScript(accountId, "ta", 300);
  await addScript(accountId, "en", 44);
  const list = (query: string) => rest(service.url, `/scripts?${query}`, { key });
  expect((await list("language=ta&length=30to60s&query=hook")).body).toMatchObject({
    total: 1,
    scripts: [{ language: "ta", transcript: "the hook of 44" }],
  });
  expect((await list("language=ta")).body.total).toBe(2);
  expect((await list("length=30to60s")).body.total).toBe(2);
  expect((await list("language=und")).body).toEqual({ scripts: [], total: 0 });
  for (const wrong of ["language=xx", "length=short"])
    expect(await list(wrong)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/must be "(en|under30s)",/) } },
    });
});

test("a list is narrowed to a platform, of which an account's handle is one of several", async () => {
  const { accountId, key } = await service.createCaller();
  await addScript(accountId, "en", 44, "tiktok");
  await addScript(accountId, "en", 45, "instagram");
  await addScript(accountId, "es", 46, "instagram");
  const found = async (query: string) => {
    const { body } = await rest(service.url, `/scripts?${query}`, { key });
    return body.scripts.map(({ transcript }: { transcript: string }) => transcript.split(" ").at(-1)).toSorted();
  };
  expect(await found("platform=tiktok")).toEqual(["44"]);
  expect(await found("platform=instagram")).toEqual(["45", "46"]);
  expect(await found("platform=instagram&language=en&query=hook")).toEqual(["45"]);
  expect(await found("platform=youtube")).toEqual([]);
  expect(await found("account=ana-coffee")).toEqual(["44", "45", "46"]);
  expect(await found("account=ana-coffee&platform=tiktok")).toEqual(["44"]);
  const id = (await rest(service.url, "/scripts?platform=tiktok", { key })).body.scripts[0].id;
  const person = await service.store.corrections.change(
    accountId,
    id,
    ({ segments }) => segments.map(() => "other words"),
    service.clock.now(),
  );
  expect(person).toBeDefined();
  expect(await found("platform=tiktok&query=other")).toEqual(["words"]);
  expect(await rest(service.url, "/scripts?platform=vimeo", { key })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("instagram") } },
  });
});

test("a cursor continues the list of the same filters, and no other", async () => {
  const { accountId, key } = await service.createCaller();
  for (let count = 0; count < 3; count += 1) await addScript(accountId, "es", 31);
  await addScript(accountId, "es", 20);
  const list = (query: string) => rest(service.url, `/scripts?limit=2&${query}`, { key });
  const first = (await list("language=es&length=30to60s")).body;
  expect(first).toMatchObject({ total: 3, scripts: [{}, {}] });
  const second = (await list(`language=es&length=30to60s&cursor=${first.nextCursor}`)).body;
  expect(second).toMatchObject({ total: 3, scripts: [{ language: "es" }] });
  for (const other of ["language=es", "length=30to60s", "language=en&length=30to60s", ""])
    expect(await list(`${other}&cursor=${first.nextCursor}`), other).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("`cursor`") } },
    });
});

test("people see how many scripts are of each kind, of their own library", async () => {
  const [person, stranger] = [
    await signIn(service, { email: "kinds@example.com" }),
    await signIn(service, { email: "other-kinds@example.com" }),
  ];
  expect((await person.api("countScriptKinds")).body).toEqual({ platforms: [], languages: [], lengths: [] });
  for (const [language, seconds] of [
    ["en", 10],
    ["hi", 70],
    ["hi", 71],
  ] as const)
    await addScript(person.accountId, language, seconds);
  await addScript(stranger.accountId, "de", 10);
  expect((await person.api("countScriptKinds")).body).toEqual({
    platforms: [{ platform: "standin", scripts: 3 }],
    languages: [
      { language: "hi", scripts: 2 },
      { language: "en", scripts: 1 },
    ],
    lengths: [
      { length: "under30s", scripts: 1 },
      { length: "1to3min", scripts: 2 },
    ],
  });
});

test("a corrected script keeps its language and length", async () => {
  const person = await signIn(service, { email: "corrected-kinds@example.com" });
  await addScript(person.accountId, "it", 61);
  const list = async (input: Readonly<Record<string, unknown>>) => (await person.api("searchMyScripts", input)).body;
  const { id } = (await list({ language: "it" })).scripts[0];
  const { version } = (await person.api("getScriptCorrection", { id })).body;
  const corrected = await person.api("correctScript", { id, ifVersion: version, texts: ["the other words"] });
  expect(corrected.status, JSON.stringify(corrected.body)).toBe(200);
  expect(await list({ language: "it", length: "1to3min", query: "other words" })).toMatchObject({ total: 1 });
  expect(await list({ language: "en" })).toMatchObject({ total: 0 });
  expect((await person.api("countScriptKinds")).body.languages).toEqual([{ language: "it", scripts: 1 }]);
});
