import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createRawServer, type Server } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { FetchFailureReason } from "../../src/adapters/guarded-fetch/fetch-failure.ts";
import { createGuardedFetch, type FetchLimits } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";
import type { ResolveHost } from "../../src/adapters/guarded-fetch/guarded-lookup.ts";
import { listen } from "../harness/listen.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const never = new AbortController().signal;
const folder = directoryOfTests();
const opened: { close(): unknown; closeAllConnections?(): void }[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections?.();
  }
});

async function open(server: Server): Promise<string> {
  opened.push(server);
  return (await listen(server)).origin;
}

const serve = (listener: RequestListener): Promise<string> => open(createServer(listener));

const drip: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write("."), 50);
  response.on("close", () => clearInterval(timer));
};

/** Writes bytes as they are, whatever HTTP would say. */
const serveRaw = (text: string): Promise<string> =>
  open(
    createRawServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(text));
    }),
  );

function fetchFrom(origins: string[], limits: Partial<FetchLimits> = {}, resolveHost?: ResolveHost) {
  return createGuardedFetch({
    origins,
    mayBePrivate: resolveHost === undefined,
    userAgent: "test",
    limits,
    resolveHost,
  });
}

const pageOf = (origin: string, limits?: Partial<FetchLimits>, resolveHost?: ResolveHost) =>
  fetchFrom([origin], limits, resolveHost).page(new URL(origin), {}, never);
const failing = (reason: FetchFailureReason, says = "") =>
  expect.objectContaining({ reason, message: expect.stringContaining(says) });

describe("pages", () => {
  test("an answer comes with its status, headers and text, unpacked", async () => {
    const origin = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("gzip");
      response.writeHead(404, { "content-encoding": "gzip", "x-seen": "yes" }).end(gzipSync("not here"));
    });
    expect(await pageOf(origin)).toMatchObject({ status: 404, text: "not here", headers: { "x-seen": "yes" } });
  });

  test("a form is posted, and its redirect is the answer", async () => {
    let received = "";
    const origin = await serve((request, response) => {
      request.on("data", (chunk: Buffer) => (received += chunk.toString()));
      request.on("end", () => response.writeHead(302, { location: "/elsewhere" }).end());
    });
    const page = await fetchFrom([origin]).page(new URL(origin), { method: "POST", body: "a=ä" }, never);
    expect(received).toBe("a=ä");
    expect(page.status).toBe(302);
  });

  test("a packed bomb is stopped at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const origin = await serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    await expect(pageOf(origin, { pageBytes: 100_000 })).rejects.toEqual(failing("tooLarge"));
  });

  test.each(["br", "gzip, gzip"])("an encoding that was not asked for (%s) is refused", async (encoding) => {
    const origin = await serve((_, response) => response.writeHead(200, { "content-encoding": encoding }).end("x"));
    await expect(pageOf(origin)).rejects.toEqual(failing("unreachable"));
  });

  test("silence and dripping end in time", async () => {
    const silent = await serve(() => undefined);
    await expect(pageOf(silent, { silenceSeconds: 0.2 })).rejects.toEqual(failing("unreachable", "silent"));
    const dripping = await serve(drip);
    const limits = { silenceSeconds: 5, pageSeconds: 0.5 };
    await expect(pageOf(dripping, limits)).rejects.toEqual(failing("unreachable", "longer than 0.5 s"));
  });

  test("the caller's own end is not a failure of the host", async () => {
    const silent = await serve(() => undefined);
    const controller = new AbortController();
    const fetching = fetchFrom([silent]).page(new URL(silent), {}, controller.signal);
    const reason = new Error("gone home");
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
  });

  test("nobody at home is unreachable", async () => {
    const origin = await serve(() => undefined);
    opened.splice(0).forEach((server) => server.close());
    await expect(pageOf(origin)).rejects.toEqual(failing("unreachable"));
  });
});

describe("redirects", () => {
  test("headers of the caller stay at the first origin", async () => {
    const seen: Record<string, IncomingHttpHeaders> = {};
    const other = await serve((request, response) => {
      seen["other"] = request.headers;
      response.end("there");
    });
    const origin = await serve((request, response) => {
      seen[request.url ?? ""] = request.headers;
      response.writeHead(302, { location: request.url === "/" ? "/second" : `${other}/` }).end();
    });
    const headers = { cookie: "csrftoken=secret", "x-csrftoken": "secret", authorization: "Bearer secret" };
    const page = await fetchFrom([origin, other]).page(new URL(origin), { headers }, never);
    expect(page).toMatchObject({ text: "there", status: 200 });
    expect(seen["/second"]).toMatchObject(headers);
    expect(JSON.stringify(seen["other"])).not.toContain("secret");
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:1/",
    "http://localhost/",
    "https://platform.example/",
    "file:///etc/passwd",
    "//user:secret@127.0.0.1/",
    "gopher://127.0.0.1/",
  ])("one to %s is refused", async (location) => {
    const origin = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(pageOf(origin)).rejects.toEqual(failing("refused"));
  });

  test("an endless chain is cut", async () => {
    let requestCount = 0;
    const origin = await serve((_, response) => {
      requestCount += 1;
      response.writeHead(302, { location: `/${requestCount}` }).end();
    });
    await expect(pageOf(origin, { redirects: 3 })).rejects.toEqual(failing("refused"));
    expect(requestCount).toBe(4);
  });

  test("one that the caller doesn't follow is returned, and not requested", async () => {
    let requestCount = 0;
    const origin = await serve((_, response) => {
      requestCount += 1;
      response.writeHead(302, { location: "/accounts/login/" }).end();
    });
    const page = await fetchFrom([origin]).page(new URL(origin), { follow: () => false }, never);
    expect([page.status, requestCount]).toEqual([302, 1]);
  });
});

describe("names and addresses", () => {
  const at =
    (...addresses: string[]): ResolveHost =>
    (_, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );

  test.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["1.1.1.1", "127.0.0.1"],
  ])("a name at %s %s is refused, and nobody is asked", async (...addresses) => {
    let requestCount = 0;
    const origin = await serve((_, response) => {
      requestCount += 1;
      response.end();
    });
    const address = `http://platform.example:${new URL(origin).port}`;
    await expect(pageOf(address, {}, at(...addresses))).rejects.toEqual(failing("refused"));
    expect(requestCount).toBe(0);
  });

  test("a literal address is refused, though its origin is allowed", async () => {
    const origin = await serve((_, response) => response.end());
    await expect(pageOf(origin, {}, at("1.1.1.1"))).rejects.toEqual(failing("refused"));
  });

  test("a name without an address is unreachable", async () => {
    const nowhere: ResolveHost = (_, done) => done(new Error("ENOTFOUND"), []);
    const address = "https://platform.example";
    for (const resolve of [nowhere, at()])
      await expect(pageOf(address, {}, resolve)).rejects.toEqual(failing("unreachable"));
  });
});

describe("downloads", () => {
  const media = Buffer.from("0123456789".repeat(50_000));
  const download = (origin: string, maxBytes = 1_000_000, limits: Partial<FetchLimits> = {}) => {
    const file = path.join(folder, "media");
    return fetchFrom([origin], limits)
      .download(new URL(origin), file, maxBytes, never)
      .then(() => readFile(file));
  };

  test("the file holds exactly what was sent, whatever it held before", async () => {
    const origin = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBeUndefined();
      response.end(media);
    });
    expect((await download(origin)).equals(media)).toBe(true);
    const short = await serve((_, response) => response.end("short"));
    expect((await download(short)).toString()).toBe("short");
  });

  test("a stated length over the limit is refused before the body", async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { "content-length": "9000000" }).write("x");
    });
    await expect(download(origin)).rejects.toEqual(failing("tooLarge", "states 9000000"));
  });

  test("a body that goes on past the limit is cut off", async () => {
    const origin = await serve((_, response) => {
      const push = (): void => {
        while (response.write(media));
        response.once("drain", push);
      };
      push();
    });
    await expect(download(origin)).rejects.toMatchObject({ reason: "tooLarge" });
  });

  test.each([
    ["a body shorter than stated", `HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${"x".repeat(50)}`],
    ["a body longer than stated", `HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${"x".repeat(50)}`],
    ["pieces that break off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"],
    [
      "length and pieces",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ],
    ["an empty body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["no HTTP at all", "hello"],
    ["nothing", ""],
  ])("%s is no answer", async (_, text) => {
    await expect(download(await serveRaw(text))).rejects.toMatchObject({ reason: "unreachable" });
  });

  test.each([201, 204, 206, 304, 403, 404, 500])("a %i is no media", async (status) => {
    const origin = await serve((_, response) => response.writeHead(status).end());
    await expect(download(origin)).rejects.toMatchObject({ reason: "badStatus" });
  });

  test("a drip is ended by the deadline", async () => {
    const origin = await serve(drip);
    await expect(download(origin, 1_000, { mediaSeconds: 0.4 })).rejects.toMatchObject({ reason: "unreachable" });
  });

  test("our own disk is not the host's fault", async () => {
    const origin = await serve((_, response) => response.end(media));
    const file = path.join(folder, "no-such-folder", "media");
    await expect(fetchFrom([origin]).download(new URL(origin), file, 1_000_000, never)).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});
