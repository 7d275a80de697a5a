import path from "node:path";
import { operations, type Operation } from "@reelscript/contract";
import { expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

test("no operation ignores a query parameter that it doesn't have", async () => {
  const { key } = await service.createCaller();
  for (const [name, { http }] of Object.entries(operations) as [string, Operation][]) {
    const path = http.path.replace(/\{\w+\}/g, "x");
    const body = http.method === "GET" || http.method === "DELETE" ? {} : { body: {} };
    const answer = await rest(service.url, `${path}?nobodyHasThis=1`, { key, method: http.method, ...body });
    expect([name, answer.status, answer.body.error?.message]).toEqual([
      name,
      400,
      expect.stringContaining("`nobodyHasThis` is not a query parameter"),
    ]);
  }
});

test.each([
  ["/scripts?acount=ana", "account"],
  ["/scripts?Query=hook", "query"],
  ["/guides?querry=hook", "query"],
  ["/bio/analytics?day=7", "days"],
  ["/scripts/scr_1?fromat=srt", "format"],
  ["/batches/bat_1?formt=csv", "format"],
])("%s names the nearest parameter, %s", async (path, nearest) => {
  const { key } = await service.createCaller();
  const answer = await rest(service.url, path, { key });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: "invalidRequest", message: expect.stringContaining(`Did you mean \`${nearest}\`?`) } },
  });
});

test("an unknown field of a body names the nearest one", async () => {
  const { key } = await service.createCaller();
  const answer = await rest(service.url, "/transcribe", { key, body: { url: "https://a.example", languageHnt: "en" } });
  expect(answer.body.error.message).toContain("did you mean languageHint?");
  expect(answer.body.error.problems).toContainEqual({
    path: ["languageHnt"],
    problem: "unknown field; did you mean languageHint?",
  });
  const other = await rest(service.url, "/transcribe", { key, body: { url: "https://a.example", nothingLikeIt: 1 } });
  expect(other.body.error.message).toContain("`nothingLikeIt`: unknown field.");
});

test("the document has every status of a request with an Idempotency-Key", async () => {
  const { paths, components } = await (await fetch(`${service.url}/openapi.json`)).json();
  const idempotent = (Object.values(operations) as Operation[]).filter(({ http }) => http.idempotent);
  expect(idempotent.length).toBeGreaterThan(1);
  for (const { http } of idempotent) {
    const { responses } = paths[http.path][http.method.toLowerCase()];
    const text = (status: string): string => {
      const { $ref: shared = "", ...ownResponse } = responses[status] ?? {};
      return JSON.stringify(shared === "" ? ownResponse : components.responses[path.posix.basename(shared)]);
    };
    expect(text("422"), http.path).toContain("idempotencyKeyReused");
    expect(text("409"), http.path).toContain("idempotencyKeyInUse");
  }
});
