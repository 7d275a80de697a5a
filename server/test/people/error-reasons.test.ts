import { errorReasons, operations, ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe, transcribeLater } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: createGatedTranscriber() });

const reelOf = (kind: string): string =>
  service.standin.urlOf(service.standin.reels.find((reel) => reel.kind === kind)!.code);

test("people and programs get the same envelope, and the reason's header", async () => {
  const url = reelOf("private");
  const { key } = await service.createCaller();
  const person = await signIn(service);
  for (const answer of [await person.api("transcribeReel", { url }), await transcribe(service.url, key, url)]) {
    expect([answer.status, answer.headers.get("x-error-reason")]).toEqual([404, "reelPrivate"]);
    expect(answer.body).toEqual({ error: { code: "notFound", message: expect.stringContaining("private") } });
  }
});

test.each([
  ["BAnobody01", 404, "notFound", "shareLinkDead"],
  ["BAlogin001", 502, "upstreamError", "platformRefused"],
] as const)("a share link %s without a script returns a declared reason", async (id, ...refusal) => {
  const [status, code, reason] = refusal;
  const { key } = await service.createCaller();
  const url = `${service.standin.origin}/share/reel/${id}/`;
  const answer = await rest(service.url, `/scripts?url=${encodeURIComponent(url)}`, { key });
  expect(answer).toMatchObject({ status, body: { error: { code } } });
  expect(answer.headers.get("x-error-reason")).toBe(reason);
  expect(operations.searchMyScripts.errors).toContain(code);
  expect(operations.searchMyScripts.reasons).toContain(reason);
});

test("a transcription that failed while nobody waited keeps its reason", async () => {
  const { key } = await service.createCaller();
  const id = await transcribeLater(service.url, key, reelOf("private"));
  const read = async () => (await rest(service.url, `/transcriptions/${id}`, { key })).body;
  await expect.poll(async () => (await read()).status).toBe("failed");
  expect((await read()).error).toEqual({ code: "notFound", reason: "reelPrivate", message: expect.any(String) });
});

test("a missing key and a malformed one have reasons of their own", async () => {
  const reasonsOf = (keys: readonly { readonly key?: string }[]) =>
    Promise.all(keys.map(async (call) => (await rest(service.url, "/usage", call)).headers.get("x-error-reason")));
  expect(await reasonsOf([{}, { key: "svc_sk_nonsense" }])).toEqual(["keyMissing", "keyMalformed"]);
});

test("a reason belongs to one code", () => {
  const names = Object.values(errorReasons).flatMap((reasons) => Object.keys(reasons));
  expect(new Set(names).size).toBe(names.length);
  // @ts-expect-error -- a reason of another code does not compile
  expect(new ServiceError("notFound", "", { reason: "queueFull" }).code).toBe("notFound");
});
