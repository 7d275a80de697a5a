import { expect, test } from "vitest";
import { connectProgram, createHost, type Host } from "../harness/connect-program.ts";
import { signIn } from "../harness/sign-in.ts";
import { hour } from "../harness/test-clock.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null, rateLimits: { default: 60 } });

test("a host with only the address registers, gets consent, calls tools", async () => {
  const person = await signIn(service);
  const host = createHost();
  const client = await connectProgram(service.url, person, host);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("transcribe_reel");
  const usage = await client.callTool({ name: "get_my_usage", arguments: {} });
  expect(usage.isError).toBeUndefined();
  expect(host.tokens()).toMatchObject({ token_type: "Bearer", expires_in: 3_600, scope: "read full" });
  await client.close();
});

test("a program is listed, uses its slot's quota, and disconnects immediately", async () => {
  const person = await signIn(service, { email: "owner@example.com" });
  const host = createHost({ name: "  Claude‮ \n Code " });
  const client = await connectProgram(service.url, person, host);
  await client.callTool({ name: "get_my_usage", arguments: {} });
  const { programs } = (await person.api("listPrograms")).body;
  expect(programs).toEqual([
    {
      id: expect.stringMatching(/^key_/),
      name: "Claude Code",
      address: "this computer",
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      readOnly: false,
      transcriptions: { used: 0, limit: 10, resetsAt: null },
    },
  ]);
  expect((await person.api("listKeys")).body.keys, "it is no key").toEqual([]);

  const stranger = await signIn(service, { email: "stranger@example.com" });
  expect((await stranger.api("disconnectProgram", { id: programs[0].id })).status).toBe(404);
  expect((await person.api("disconnectProgram", { id: programs[0].id })).status).toBe(200);
  expect((await person.api("listPrograms")).body.programs).toEqual([]);
  await expect(client.callTool({ name: "get_my_usage", arguments: {} })).rejects.toThrow("invalid");
  expect(await refresh(host)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("five slots are shared with keys, and a program keeps its own", async () => {
  const person = await signIn(service, { email: "full@example.com" });
  for (let count = 1; count <= 4; count += 1) await person.api("createKey", { name: `Key ${count}` });
  await connectProgram(service.url, person);
  await connectProgram(service.url, person);
  expect((await person.api("listPrograms")).body.programs).toHaveLength(1);
  expect((await person.api("createKey", { name: "Sixth" })).status).toBe(403);
  await expect(connectProgram(service.url, person, createHost({ name: "Another" }))).rejects.toThrow(
    /409.*All 5 key slots are taken/s,
  );
});

test("a program with read access lists reading tools, and is refused others", async () => {
  const person = await signIn(service, { email: "careful@example.com" });
  const host = createHost();
  const client = await connectProgram(service.url, person, host, { answer: "allow", access: "read" });
  expect(host.tokens()?.scope).toBe("read");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("transcribe_reel");
  const refused = await client.callTool({ name: "update_bio_page", arguments: { displayName: "Mine" } });
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/program's access is read-only.*connect it again/) }],
  });
  expect((await person.api("listPrograms")).body.programs).toMatchObject([{ readOnly: true }]);
});

test("its calls count against the limits of its place", async () => {
  const person = await signIn(service, { email: "busy@example.com" });
  const client = await connectProgram(service.url, person);
  const call = () => client.callTool({ name: "get_my_usage", arguments: {} });
  for (let count = 0; count < 60; count += 1) expect((await call()).isError).toBeUndefined();
  expect(await call()).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("[rateLimited]") }] });
});

test("tokens are renewed, and a program that isn't used is forgotten", async () => {
  const person = await signIn(service, { email: "later@example.com" });
  const host = createHost();
  const client = await connectProgram(service.url, person, host);
  const before = host.tokens();
  service.clock.advance(2 * hour);
  const usage = await client.callTool({ name: "get_my_usage", arguments: {} });
  expect(usage.isError, "the host's library has renewed them").toBeUndefined();
  expect(host.tokens()?.refresh_token).not.toBe(before?.refresh_token);
  service.clock.advance(61 * 24 * hour);
  const again = await signIn(service, { email: "later@example.com" });
  expect((await again.api("listPrograms")).body.programs).toEqual([]);
  expect(await refresh(host)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

async function refresh(host: Host) {
  const { client_id } = (await host.clientInformation()) ?? expect.fail("it never registered");
  const answer = await fetch(`${service.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: host.tokens()?.refresh_token ?? "",
      client_id,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
