import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { dayMilliseconds, dayOf } from "@reelscript/contract";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { newId } from "../database/opened-stores.ts";
import { ask } from "../harness/ask.ts";
import { signIn } from "../harness/sign-in.ts";
import { noModel, programsOfTests } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

const directory = directoryOfTests();
const startProgram = programsOfTests(directory);

async function start() {
  const program = await startProgram({ ...noModel, DRAIN_SECONDS: "0" });
  const { url } = program;
  const person = await signIn({ url }, { email: "visited@example.com" });
  return {
    program,
    person,
    url,
    views: async (): Promise<number> => (await person.api("getBioAnalytics", { days: 7 })).body.views,
    visit: (image: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => ask(url, image, { "user-agent": phone }))),
  };
}

test("a stopped process writes its visits; a killed one loses a second", async () => {
  const first = await start();
  await first.person.api("updateBioPage", { displayName: "Ana" });
  await first.person.api("claimBioHandle", { handle: "visited" });
  const { text } = await ask(first.url, "/@visited");
  const image = /\/v\/bio_\w+/.exec(text)?.[0] ?? expect.fail(text);
  // Browsers and proxies open connections ahead, on which nothing ever comes.
  const { hostname, port } = new URL(first.url);
  const silent = connect(Number(port), hostname).on("error", () => undefined);
  onTestFinished(() => void silent.destroy());
  await once(silent, "connect");
  await first.visit(image, 40);
  expect((await first.program.end("SIGTERM")).code).toBe(0);

  const second = await start();
  expect(await second.views(), "all that came before the end").toBe(40);
  await second.visit(image, 40);
  await expect.poll(second.views).toBe(80);
  await second.visit(image, 40);
  await second.program.end("SIGKILL");

  const store = await openStore({ dataDirectory: directory, newId });
  onTestFinished(() => store.close());
  const now = Date.now();
  const from = dayOf(new Date(now - 6 * dayMilliseconds));
  const to = dayOf(new Date(now));
  const { daily } = await store.bioEvents.read(second.person.accountId, { earliest: from, from, to });
  const left = daily.reduce((sum, { views }) => sum + views, 0);
  expect(left).toBeGreaterThanOrEqual(80);
  expect(left).toBeLessThanOrEqual(120);
});
