import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { freePort } from "../harness/free-port.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";

/** Opens a connection and sends the beginning of a request. */
async function begin(url: string, lines: readonly string[]): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const answer = text(socket).catch(() => "");
  const [first, ...headers] = lines;
  socket.write(`${[first, `host: ${host}`, ...headers].join("\r\n")}\r\n\r\n`);
  return { socket, answer };
}

const aWebhook = (length: number, ...headers: string[]): string[] => [
  "POST /webhooks/stripe HTTP/1.1",
  "content-type: application/json",
  `content-length: ${length}`,
  ...headers,
];
const signed = "stripe-signature: t=1,v1=00";

describe("the door for HTTP", () => {
  const service = serviceOfTests({ transcriber: null, stallSeconds: 3_600 });

  test("refuses an unsigned event of the biller before reading its body", async () => {
    const { answer } = await begin(service.url, aWebhook(200_000));
    const [head = "", body = ""] = (await answer).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/^connection: close$/im);
    expect(JSON.parse(body).error).toMatchObject({
      code: "invalidRequest",
      message: expect.stringMatching(/signature is missing/),
    });
  });

  test("takes events of at most 256 KB", async () => {
    const post = (bytes: number) =>
      fetch(`${service.url}/webhooks/stripe`, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": "t=1,v1=00" },
        body: " ".repeat(bytes),
      });
    expect((await post(256 * 1_024)).status, "read, and then refused for its signature").toBe(400);
    expect((await post(256 * 1_024 + 1)).status).toBe(413);
  });

  test("holds at most 32 unfinished events: a new one replaces the oldest", async () => {
    const many = 40;
    const begun = [];
    for (let count = 0; count < many; count += 1) begun.push(await begin(service.url, aWebhook(200_000, signed)));
    const ended = await Promise.all(begun.slice(0, many - 32).map(({ answer }) => answer));
    for (const answer of ended) expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    const genuine = await fetch(`${service.url}/webhooks/stripe`, {
      method: "POST",
      headers: { "stripe-signature": "t=1,v1=00" },
      body: "{}",
    });
    expect(genuine.status, "it was read whole and judged").toBe(400);
    for (const { socket } of begun) socket.destroy();
  });

  test("closes the connection if a body is late, however slowly it drips", async () => {
    const hasty = await serviceOfTest({ transcriber: null, bodySeconds: 2 });
    const { key } = await hasty.createCaller();
    const { socket, answer } = await begin(hasty.url, [
      "POST /api/v1/transcribe HTTP/1.1",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      "content-length: 5000",
    ]);
    const drip = setInterval(() => socket.write(" "), 100);
    socket.on("error", () => undefined);
    try {
      expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
      if (!socket.closed) await once(socket, "close");
    } finally {
      clearInterval(drip);
      socket.destroy();
    }
  });

  test("answers no error of more than a few KB, whatever is wrong", async () => {
    const person = await signIn(service);
    const { key } = await service.createCaller();
    const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`${"x".repeat(100)}${index}`, 1]));
    const large = JSON.stringify(unknown);
    const name = "y".repeat(60_000);
    const answers = [
      await person.jar.fetch(`${service.url}/app/api/competitor-reports`, {
        method: "POST",
        headers: { origin: service.url, "content-type": "application/json" },
        body: large,
      }),
      ...(await Promise.all(
        [
          { url: "https://example.com", [name]: 1 },
          { url: `https://example.com/${name}` },
          { url: { [name]: 1 } },
          { url: "https://example.com", languageHint: name },
        ].map((body) =>
          fetch(`${service.url}/api/v1/transcribe`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        ),
      )),
      ...(await Promise.all(
        [
          { method: "tools/call", params: { name, arguments: {} } },
          { method: "tools/call", params: { name: "transcribe_reel", arguments: { [name]: 1, url: name } } },
          { method: name, params: {} },
          { method: "resources/read", params: { uri: name } },
          {
            method: "initialize",
            params: { protocolVersion: name, capabilities: {}, clientInfo: { name: "test", version: "1" } },
          },
        ].map((message) =>
          fetch(`${service.url}/mcp`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
            },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
          }),
        ),
      )),
    ];
    for (const answer of answers) {
      const body = await answer.text();
      expect(body.length, body.slice(0, 300)).toBeLessThan(4_096);
    }
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  test("takes no zero character", async () => {
    const { key } = await service.createCaller();
    const zero = { status: 400, body: { error: { code: "invalidRequest" } } };
    expect(await rest(service.url, "/scripts?query=tips%00", { key })).toMatchObject(zero);
    expect(await rest(service.url, "/scripts?account=%00", { key })).toMatchObject(zero);
    expect((await rest(service.url, "/competitor-reports/rep%00", { key })).status, "nothing has this id").toBe(404);
    expect(
      await rest(service.url, "/bio", {
        key,
        method: "PATCH",
        body: { links: [{ title: "a", url: "https://a.example/\0" }] },
      }),
    ).toMatchObject(zero);
    const answer = await rest(service.url, "/transcribe", { key, body: { url: "https://a.example/\0" } });
    expect(answer).toMatchObject(zero);
    expect(answer.body.error.message).toBe("`url`: must not contain the character U+0000.");
  });

  test("refuses bio links whose user name could pass for a host", async () => {
    const { key } = await service.createCaller();
    const change = async (url: string, field = "url") =>
      (
        await rest(service.url, "/bio?dryRun=true", {
          key,
          method: "PATCH",
          body: { links: [{ title: "My bank", url: "https://example.com", [field]: url }] },
        })
      ).status;
    for (const url of [
      "https:///www.bank.com@evil.example/",
      "https://///www.bank.com@evil.example/",
      "https://\\www.bank.com@evil.example/",
      "https://:secret@evil.example/",
      "https://www.bank.com@evil.example/",
    ]) {
      expect([url, await change(url)]).toEqual([url, 400]);
      expect([url, await change(url, "thumbnailUrl")]).toEqual([url, 400]);
    }
    expect(await change("https://medium.example/@somebody?mail=a@b.example")).toBe(200);
    expect(await change("mailto:somebody@example.com")).toBe(200);
  });

  test("says nothing of https on plain http", async () => {
    expect((await fetch(`${service.url}/healthz`)).headers.get("strict-transport-security")).toBeNull();
  });
});

test("on https every answer says that it stays so", async () => {
  const port = await freePort();
  await serviceOfTest({ transcriber: null, port, baseUrl: "https://reelscript.example" });
  // Listens on a port that is not in its address.
  const url = `http://127.0.0.1:${port}`;
  for (const path of ["/healthz", "/api/v1/usage", "/app", "/mcp", "/nowhere"])
    expect((await fetch(`${url}${path}`)).headers.get("strict-transport-security"), path).toBe("max-age=31536000");
});
