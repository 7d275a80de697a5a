import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { transcribeLater } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate });
beforeAll(() => gate.close());
afterAll(() => gate.open());

describe("a stream of events ends soon", () => {
  test("after its key was revoked, and the others go on", async () => {
    const caller = await service.createCaller();
    const second = await caller.createKey();
    const id = await transcribeLater(service.url, caller.key, service.newReel());
    const follow = (key: string) =>
      fetch(`${service.url}/api/v1/transcriptions/${id}`, {
        headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
      });
    const [first, other] = await Promise.all([follow(caller.key), follow(second.key)]);
    let otherEnded = false;
    const otherText = other.text().then((text) => {
      otherEnded = true;
      return text;
    });
    expect(first.status).toBe(200);
    await service.store.keys.revoke(caller.keyId, service.clock.now());
    const told = await first.text();
    expect(told).toContain("event: progress");
    expect(told).not.toContain("event: finished");
    expect((await follow(caller.key)).status).toBe(401);
    expect(otherEnded).toBe(false);
    gate.open();
    expect(await otherText).toContain("event: finished");
    gate.close();
  });

  test("after its key has expired, and says so", async () => {
    const person = await signIn(service, { email: "expiring@example.com" });
    const expiresAt = new Date(service.clock.now().getTime() + hour).toISOString();
    const { secret } = (await person.api("createKey", { name: "Today", expiresAt })).body;
    const id = await transcribeLater(service.url, secret, service.newReel());
    const follow = () =>
      fetch(`${service.url}/api/v1/transcriptions/${id}`, {
        headers: { authorization: `Bearer ${secret}`, accept: "text/event-stream" },
      });
    const stream = await follow();
    expect(stream.status).toBe(200);
    service.clock.advance(hour);
    const told = await stream.text();
    expect(told).toContain("event: progress");
    expect(told).not.toContain("event: finished");
    expect((await follow()).headers.get("x-error-reason")).toBe("keyExpired");
  });

  test("after its session was ended elsewhere", async () => {
    const [person, elsewhere] = [await signIn(service), await signIn(service)];
    const asked = await person.jar.fetch(`${service.url}/app/api/transcribe`, {
      method: "POST",
      headers: { origin: service.url, "content-type": "application/json", prefer: "respond-async" },
      body: JSON.stringify({ url: service.newReel() }),
    });
    const { id } = (await asked.json()) as { id: string };
    const stream = await person.jar.fetch(`${service.url}/app/api/transcriptions/${id}`, {
      headers: { origin: service.url, accept: "text/event-stream" },
    });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect((await elsewhere.api("revokeOtherSessions")).status).toBe(200);
    const told = await stream.text();
    expect(told).toContain("event: progress");
    expect(told).not.toContain("event: finished");
    gate.open();
  });
});

test("nothing went wrong on our side", () => expect(service.faults).toEqual([]));
