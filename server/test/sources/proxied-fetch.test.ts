import { createServer, type RequestListener } from "node:http";
import net from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { FetchFailure } from "../../src/adapters/guarded-fetch/fetch-failure.ts";
import { createGuardedFetch, type FetchLimits } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";
import { listen } from "../harness/listen.ts";
import { type ConnectProxy, startConnectProxy } from "../harness/start-connect-proxy.ts";

const never = new AbortController().signal;
const secret = "s3cret-of-the-operator";
const credentials = `reels:${secret}`;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(server: net.Server): Promise<number> {
  closers.push(() => server.close());
  return (await listen(server)).port;
}

/** A site under a name that only the proxy knows. */
async function startSite(listener: RequestListener) {
  const port = await open(createServer(listener));
  const proxy = await startConnectProxy({ credentials, route: () => ({ host: "127.0.0.1", port }) });
  closers.push(() => proxy.close());
  return { proxy, url: new URL(`http://www.platform.example:${port}/a?b=c`) };
}

const through = (
  { url, name }: Pick<ConnectProxy, "url" | "name">,
  origins: string[],
  limits: Partial<FetchLimits> = {},
) => createGuardedFetch({ origins, mayBePrivate: false, userAgent: "test", limits, proxy: { url, name } });

async function failureOf(work: Promise<unknown>): Promise<FetchFailure> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FetchFailure)) throw new Error("it did not fail as it should", { cause: error });
  return error;
}

/** All that a log would show of it. */
const logText = (error: FetchFailure): string => JSON.stringify([error.message, error.stack, error.cause, error]);

describe("through a proxy", () => {
  test("the proxy receives name and credentials, the site only the request", async () => {
    const seen: string[] = [];
    const { proxy, url } = await startSite((request, response) => {
      seen.push(`${request.headers.host}${request.url} ${JSON.stringify(request.headers)}`);
      response.end("hello");
    });
    expect(await through(proxy, [url.origin]).page(url, {}, never)).toMatchObject({ status: 200, text: "hello" });
    expect(proxy.requestedHosts).toEqual([url.host]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain(`${url.host}/a?b=c`);
    expect(seen[0]).not.toMatch(/proxy|authorization/i);
  });

  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "8.8.8.8",
    "[::1]",
    "[::ffff:7f00:1]",
    "[2606:4700::1]",
  ])("the address %s in numbers is refused, and the proxy isn't asked", async (host) => {
    const { proxy } = await startSite((_, response) => response.end("inside"));
    const url = new URL(`http://${host}:8080/`);
    const failure = await failureOf(through(proxy, [url.origin]).page(url, {}, never));
    expect(failure).toMatchObject({ reason: "refused" });
    expect(proxy.requestedHosts).toEqual([]);
  });

  test("a redirect to a host that isn't listed is not followed", async () => {
    const { proxy, url } = await startSite((_, response) =>
      response.writeHead(302, { location: "http://metadata.internal/" }).end(),
    );
    expect(await failureOf(through(proxy, [url.origin]).page(url, {}, never))).toMatchObject({ reason: "refused" });
    expect(proxy.requestedHosts).toEqual([url.host]);
  });

  test("proxy errors are blamed on the proxy and show no password", async () => {
    const { proxy, url } = await startSite((_, response) => response.end("hello"));
    const wrong = { ...proxy, url: proxy.url.replace("reels:", "others:") };
    const refused = await failureOf(through(wrong, [url.origin]).page(url, {}, never));
    expect(refused).toMatchObject({ reason: "proxyFailed", message: expect.stringContaining("407") });
    proxy.answer(`HTTP/1.1 503 ${secret}\r\nx-you-said: ${credentials}\r\n\r\n`);
    const broken = await failureOf(through(proxy, [url.origin]).page(url, {}, never));
    expect(broken).toMatchObject({ reason: "proxyFailed", message: expect.stringContaining("503") });
    proxy.answer(`${credentials} is no HTTP\r\n\r\n`);
    const garbled = await failureOf(through(proxy, [url.origin]).page(url, {}, never));
    expect(garbled).toMatchObject({ reason: "proxyFailed" });
    await proxy.close();
    closers.splice(closers.length - 1);
    const gone = await failureOf(through(proxy, [url.origin]).page(url, {}, never));
    expect(gone).toMatchObject({ reason: "proxyFailed", message: expect.stringContaining("ECONNREFUSED") });
    for (const failure of [refused, broken, garbled, gone]) {
      expect(failure.message).toContain(proxy.name);
      expect(logText(failure)).not.toMatch(/s3cret|reels:|others:/);
    }
  });

  test("a proxy that hangs at any point ends at the idle timeout", async () => {
    const { proxy, url } = await startSite((_, response) => response.end("hello"));
    const hasty = through(proxy, [url.origin], { silenceSeconds: 0.2 });
    for (const beginning of [undefined, "HTTP/1.1 200 Conn"]) {
      proxy.answer(beginning);
      expect(await failureOf(hasty.page(url, {}, never))).toMatchObject({ reason: "proxyFailed" });
    }
  });

  test("a proxy that drips its answer is given up at the deadline", async () => {
    const port = await open(
      net.createServer((socket) => {
        const timer = setInterval(() => socket.write("x-drop: 1\r\n"), 20);
        socket.on("error", () => undefined).on("close", () => clearInterval(timer));
        socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n"));
      }),
    );
    const url = new URL("http://www.platform.example/");
    const proxy = { url: `http://127.0.0.1:${port}`, name: "dripping" };
    const slow = through(proxy, [url.origin], { silenceSeconds: 5, pageSeconds: 0.4 });
    expect(await failureOf(slow.page(url, {}, never))).toMatchObject({
      reason: expect.stringMatching(/unreachable|proxyFailed/),
    });
  });

  test("a proxy's endless answer is dropped at 16 kB of headers", async () => {
    let sentBytes = 0;
    const port = await open(
      net.createServer((socket) => {
        const fill = (): void => {
          while (!socket.destroyed && socket.write(`x-more: ${"a".repeat(1_000)}\r\n`)) sentBytes += 1_000;
        };
        socket.on("error", () => undefined).on("drain", fill);
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n");
          fill();
        });
      }),
    );
    const url = new URL("http://www.platform.example/");
    const endless = through({ url: `http://127.0.0.1:${port}`, name: "endless" }, [url.origin]);
    const failure = await failureOf(endless.page(url, {}, never));
    expect(failure).toMatchObject({ reason: "proxyFailed", message: expect.stringContaining("HPE_HEADER_OVERFLOW") });
    // The rest is in the buffers of the system, at most.
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  test("the caller's own end breaks a tunnel off that is being opened", async () => {
    const { proxy, url } = await startSite((_, response) => response.end("hello"));
    proxy.answer(undefined);
    const controller = new AbortController();
    const fetching = through(proxy, [url.origin]).page(url, {}, controller.signal);
    await expect.poll(() => proxy.requestedHosts.length).toBe(1);
    const reason = new Error("gone home");
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    proxy.open();
    expect(await through(proxy, [url.origin]).page(url, {}, never)).toMatchObject({ text: "hello" });
  });
});
