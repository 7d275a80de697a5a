import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { createFetchDocument } from "../../src/adapters/guarded-fetch/fetch-document.ts";
import type { FetchDocument } from "../../src/ports.ts";
import { connectProgram, createHost, redirectUri } from "../harness/connect-program.ts";
import { createRawProgram } from "../harness/raw-program.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const documents = new Map<string, unknown>();
const fetched: string[] = [];
const guarded = createFetchDocument();

/** No test has a host with a certificate that we trust; everything else is asked for as always. */
const fetchDocument: FetchDocument = async (url, signal) => {
  fetched.push(url.href);
  const document = documents.get(url.href);
  if (document === undefined) return guarded(url, signal);
  return { status: 200, cacheControl: "max-age=60", bytes: Buffer.from(JSON.stringify(document)) };
};

const service = serviceOfTests({ transcriber: null, fetchDocument });
let person: SignedIn;
beforeAll(async () => void (person = await signIn(service)));

const place = (url: string, changed: object = {}): string => {
  documents.set(url, { client_id: url, client_name: "Hosted", redirect_uris: [redirectUri], ...changed });
  return url;
};

test("a host that has a document is known by it, without registering", async () => {
  const documentUrl = place("https://host.example/client.json");
  const host = createHost({ documentUrl });
  const client = await connectProgram(service.url, person, host);
  expect((await client.callTool({ name: "get_my_usage", arguments: {} })).isError).toBeUndefined();
  expect(await host.clientInformation()).toMatchObject({ client_id: documentUrl });
  expect((await person.api("listPrograms")).body.programs).toMatchObject([{ name: "Hosted" }]);
  expect(
    fetched.filter((url) => url === documentUrl),
    "it is kept for a while",
  ).toHaveLength(1);
  const page = await person.jar.follow((await createRawProgram(service.url, documentUrl)).authorizeUrl());
  expect(await page.text()).toContain("host.example confirms that this is its program");
});

test("a document with missing or forbidden statements is refused", async () => {
  for (const [name, changed] of Object.entries({
    other: { client_id: "https://host.example/client.json" },
    secret: { client_secret: "secret" },
    shared: { token_endpoint_auth_method: "client_secret_post" },
    nowhere: { redirect_uris: [] },
    elsewhere: { redirect_uris: ["https://evil.example/callback"] },
    list: { redirect_uris: "https://evil.example" },
  })) {
    const program = await createRawProgram(service.url, place(`https://${name}.example/client.json`, changed));
    const answer = await person.jar.fetch(program.authorizeUrl());
    expect([answer.status, answer.headers.get("location")], name).toEqual([400, null]);
  }
});

test("no document is asked for at an address that isn't public", async () => {
  for (const url of [
    "https://127.0.0.1/client.json",
    "https://localhost/client.json",
    "https://[::1]/client.json",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/client.json",
    "https://host.example:8443/client.json",
    "http://host.example/client.json",
  ]) {
    const program = await createRawProgram(service.url, url);
    const answer = await person.jar.fetch(program.authorizeUrl());
    expect([answer.status, answer.headers.get("location")], url).toEqual([400, null]);
    expect(await answer.text(), "it says nothing of what is there").not.toMatch(/not public|refused to|ECONN/);
  }
});

test("a document is small, and no redirect leads to another", async () => {
  const server = createServer(({ url }, response) => {
    if (url === "/moved") response.writeHead(302, { location: "/small" }).end();
    else response.end("x".repeat(url === "/small" ? 5_000 : 6_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const here = createFetchDocument({ origins: [origin], mayBePrivate: true });
  const { signal } = new AbortController();
  expect((await here(new URL(`${origin}/small`), signal)).bytes).toHaveLength(5_000);
  await expect(here(new URL(`${origin}/large`), signal)).rejects.toThrow(/more than 5120 bytes/);
  expect((await here(new URL(`${origin}/moved`), signal)).status).toBe(302);
  await new Promise((resolve) => server.close(resolve));
});

test("a network has only so many documents fetched", async () => {
  fetched.length = 0;
  for (let count = 0; count < 70; count += 1) {
    const program = await createRawProgram(service.url, `https://127.0.0.1/${count}`);
    await fetch(program.authorizeUrl(), { redirect: "manual" });
  }
  expect(fetched.length).toBeLessThanOrEqual(60);
});
