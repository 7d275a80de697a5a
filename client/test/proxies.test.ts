import { createClient, type Wait } from "@reelscript/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startToldService, usage } from "./told-service.ts";

let service: Awaited<ReturnType<typeof startToldService>>;
let waits: Wait[];
beforeAll(async () => (service = await startToldService()));
afterAll(() => service.close());
beforeEach(() => void (waits = []));

const connect = () =>
  createClient({
    baseUrl: service.url,
    apiKey: "svc_sk_example",
    onWait: (wait) => waits.push(wait),
    sleep: async () => undefined,
  });

test.each([502, 503, 504])("a proxy's page of status %i is a failed connection", async (status) => {
  const page = { status, body: "<h1>Bad gateway</h1>" };
  service.tell(page, page, { body: usage });
  expect(await connect().getUsage()).toEqual(usage);
  expect(waits).toEqual([
    { reason: "network", seconds: 1, attempt: 1 },
    { reason: "network", seconds: 2, attempt: 2 },
  ]);
  service.tell(page, page, page);
  await expect(connect().getUsage()).rejects.toMatchObject({ code: "unexpectedAnswer", status });
  service.tell(page);
  await expect(connect().transcribeReel({ url: "https://reels.example/1" })).rejects.toMatchObject({
    code: "unexpectedAnswer",
    status,
  });
});
