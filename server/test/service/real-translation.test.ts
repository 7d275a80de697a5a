import { expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests();

test("a Spanish reel is translated by the real recognizer, with times and its transcript unchanged", async () => {
  const { key } = await service.createCaller();
  const url = service.standin.urlOf("CesPruebaEc");
  const { body } = await rest(service.url, "/transcribe", { key, body: { url, translate: "en" } });
  expect(body).toMatchObject({ language: "es", translation: { status: "inProgress" } });
  const { status, body: translation } = await rest(service.url, `/scripts/${body.scriptId}/translate`, {
    key,
    method: "POST",
    body: {},
  });
  expect([status, translation.status, translation.model]).toEqual([200, "done", "whisper-base"]);
  const text = translation.text.toLowerCase();
  for (const words of ["will be repeated", "the purpose of this test", "the system"]) expect(text).toContain(words);
  let last = 0;
  for (const { start, end } of translation.segments) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = end;
  }
  const { body: script } = await rest(service.url, `/scripts/${body.scriptId}`, { key });
  expect(script.transcript).toBe(body.transcript);
  expect(last).toBeLessThanOrEqual(script.receipt.audioSeconds);
});
