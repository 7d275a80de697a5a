import { beforeAll, describe, expect, test } from "vitest";
import { findProxy } from "../src/cli/proxy.ts";
import { createProgram } from "./run-program.ts";
import { transcribed, usage, useToldService } from "./told-service.ts";

const service = useToldService();
let run: ReturnType<typeof createProgram>["run"];
beforeAll(() => void ({ run } = createProgram("http://reelscript.example")));

const seenAs = (url: string, environment: Readonly<Record<string, string>>): string | undefined =>
  findProxy(new URL(url), environment)?.url.href;

describe("the proxy of an address", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["https://reelscript.example", {}, undefined],
    ["https://reelscript.example", { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
    ["https://reelscript.example", { https_proxy: "proxy:3128" }, "http://proxy:3128/"],
    ["https://reelscript.example", { https_proxy: "http://a:1", HTTPS_PROXY: "http://b:2" }, "http://a:1/"],
    ["https://reelscript.example", { HTTPS_PROXY: "" }, undefined],
    ["https://reelscript.example", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["http://reelscript.example", { HTTP_PROXY: "https://user:word@proxy" }, "https://proxy/"],
    ["http://127.0.0.1:8787", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["http://[::1]:8787", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["http://localhost:8787", { HTTP_PROXY: "http://proxy:3128" }, undefined],
  ])("of %s in %j is %s", (url, environment, proxy) => {
    expect(seenAs(url, environment)).toBe(proxy);
  });

  test.each<[string, string, boolean]>([
    ["http://reelscript.example", "*", true],
    ["http://reelscript.example", "other.example, reelscript.example", true],
    ["http://reelscript.example.", "REELSCRIPT.EXAMPLE", true],
    ["http://eu.reelscript.example", ".reelscript.example", true],
    ["http://eu.reelscript.example", "*.reelscript.example", true],
    ["http://eu.reelscript.example", "reelscript.example", true],
    ["http://myreelscript.example", "reelscript.example", false],
    ["http://reelscript.example:8080", "reelscript.example:8080", true],
    ["http://reelscript.example", "reelscript.example:8080", false],
    ["http://reelscript.example", "reelscript.example:80", true],
    ["http://reelscript.example", ",", false],
    ["http://10.1.2.3", "10.0.0.0/8", true],
    ["http://11.1.2.3", "10.0.0.0/8", false],
    ["http://10.1.2.3", "10.0.0.0/99", false],
    ["http://10.1.2.3", "2.3", false],
    ["http://[fd00::7]:8080", "fd00::/8", true],
    ["http://[fd00::7]:8080", "[fd00::7]:8080", true],
    ["http://[fd00::7]", "fd00::7", true],
  ])("isn't used for %s where NO_PROXY is %s: %s", (url, exceptions, isExcepted) => {
    const environment = { HTTP_PROXY: "http://proxy:3128", NO_PROXY: exceptions };
    expect(seenAs(url, environment)).toBe(isExcepted ? undefined : "http://proxy:3128/");
  });

  test.each(["socks5://user:s3cret@proxy:1080", "http://user:s3cret@", "http://user:s3cret%@proxy"])(
    "must be that of an HTTP proxy, and stays unsaid: %s",
    async (value) => {
      const { code, stderr } = await run(["usage"], { HTTP_PROXY: value });
      expect([code, stderr]).toEqual([2, expect.stringContaining("HTTP_PROXY must be the address of an HTTP proxy")]);
      expect(stderr).not.toContain("s3cret");
    },
  );
});

describe("a proxy of http addresses", () => {
  const through = (args: readonly string[], account = "") =>
    run(args, { HTTP_PROXY: service.url.replace("//", `//${account}`) });

  test("gets the request in absolute form, with its body and the account", async () => {
    service.tell({ body: transcribed });
    const { code, stdout } = await through(
      ["transcribe", "https://www.instagram.com/reel/DLlGZiCOBQ0/"],
      "ada:p%40ss@",
    );
    expect([code, stdout]).toEqual([0, `${transcribed.transcript}\n`]);
    expect(service.seen[0]).toMatchObject({
      method: "POST",
      path: "http://reelscript.example/api/v1/transcribe",
      headers: {
        host: "reelscript.example",
        authorization: "Bearer svc_sk_example",
        "proxy-authorization": `Basic ${Buffer.from("ada:p@ss").toString("base64")}`,
      },
      body: JSON.stringify({ url: "https://www.instagram.com/reel/DLlGZiCOBQ0/" }),
    });
  });

  test("hands on the stream by which a transcription is followed", async () => {
    const reelUrl = "https://www.instagram.com/reel/DLlGZiCOBQ0/";
    const state = { id: "trn_5Ux9Rn2Mx1YdWc8L", reelUrl, requestedAt: "2026-11-20T10:00:00.000Z" };
    const finished = { ...state, status: "done", progress: 1, finishedAt: state.requestedAt, result: transcribed };
    service.tell({ status: 202, body: { ...state, status: "queued", progress: 0 } }, (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`event: finished\ndata: ${JSON.stringify(finished)}\n\n`);
    });
    expect((await through(["transcribe", reelUrl])).stdout).toBe(`${transcribed.transcript}\n`);
    expect(service.seen[1]!.path).toBe(`http://reelscript.example/api/v1/transcriptions/${state.id}`);
  });

  test("isn't asked for what is on this machine", async () => {
    service.tell({ body: usage });
    expect((await run(["usage", "--url", service.url], { HTTP_PROXY: "http://127.0.0.1:9" })).code).toBe(0);
    expect(service.seen[0]!.path).toBe("/api/v1/usage");
  });

  test("that wants an account, or isn't there, is named with the variable", async () => {
    service.tell({ status: 407, body: "<h1>Who are you?</h1>" });
    const { code, stderr } = await through(["usage", "--no-wait"], "ada:s3cret@");
    const name = service.url.replace("http://", "");
    expect(code).toBe(1);
    expect(stderr).toContain(`The proxy ${name} refuses the way to http://reelscript.example (status 407).`);
    expect(stderr).toContain("into HTTP_PROXY: http://user:password@");
    expect(stderr).not.toContain("s3cret");
    const away = await run(["usage", "--no-wait"], { HTTP_PROXY: "http://127.0.0.1:9" });
    expect(away.stderr).toContain("through the proxy 127.0.0.1:9 (ECONNREFUSED). HTTP_PROXY names the proxy");
  });
});
