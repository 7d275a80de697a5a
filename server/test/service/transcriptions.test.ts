import { expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate, rateLimits: { default: 1_000, transcribe: 1_000 } });

test("the transcriptions of the last 30 days are listed by state, newest first, page by page, to their account only", async () => {
  const [caller, other] = await Promise.all([service.createCaller(), service.createCaller()]);
  const list = async (query = "", key = caller.key) =>
    (await rest(service.url, `/transcriptions${query}`, { key })).body;
  const reels = [service.newReel(), service.newReel(), service.newReel()];
  const made: { scriptId: string; transcriptionId: string }[] = [];
  for (const url of reels) {
    service.clock.advance(1_000);
    made.push((await rest(service.url, "/transcribe", { key: caller.key, body: { url } })).body);
  }
  const all = await list();
  expect(all.nextCursor).toBeUndefined();
  expect(all.transcriptions).toMatchObject(
    reels
      .map((reelUrl, index) => ({
        id: made[index]!.transcriptionId,
        status: "done",
        reelUrl,
        scriptId: made[index]!.scriptId,
      }))
      .toReversed(),
  );
  expect(all.transcriptions[0]).not.toHaveProperty("result");
  expect((await list("", other.key)).transcriptions).toEqual([]);

  const first = await list("?limit=2&status=done");
  const second = await list(`?limit=2&status=done&cursor=${first.nextCursor}`);
  expect([...first.transcriptions, ...second.transcriptions]).toEqual(all.transcriptions);
  expect(second.nextCursor).toBeUndefined();
  expect(
    await rest(service.url, `/transcriptions?limit=2&cursor=${first.nextCursor}`, { key: caller.key }),
  ).toMatchObject({
    status: 400,
  });

  const deleted = service.standin.urlOf(
    service.standin.addReel({ availability: "deleted", bytes: Buffer.from("not looked at") }).code,
  );
  await rest(service.url, "/transcribe", { key: caller.key, body: { url: deleted } });
  expect((await list("?status=failed")).transcriptions).toMatchObject([
    { status: "failed", error: { code: "notFound" } },
  ]);
  expect((await list("?status=queued")).transcriptions).toEqual([]);

  service.clock.advance(31 * 24 * hour);
  expect((await list()).transcriptions).toEqual([]);
});

test("a script is found by any form of its reel's link", async () => {
  const { key } = await service.createCaller();
  const url = service.newReel();
  const { scriptId } = (await rest(service.url, "/transcribe", { key, body: { url } })).body;
  const find = (link: string, as = key) => rest(service.url, `/scripts?url=${encodeURIComponent(link)}`, { key: as });
  for (const link of [url, url.replace(/\/$/, ""), `${url}?utm_source=x`, url.replace("/reel/", "/p/")])
    expect((await find(link)).body, link).toMatchObject({ total: 1, scripts: [{ id: scriptId, reelUrl: url }] });
  expect((await find(service.newReel())).body).toEqual({ scripts: [], total: 0 });
  const other = await service.createCaller();
  expect((await find(url, other.key)).body).toEqual({ scripts: [], total: 0 });
  expect((await find("https://example.com/")).status).toBe(400);
});
