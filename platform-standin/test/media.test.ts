import { describe, expect, test } from "vitest";
import { request } from "node:http";
import { connect } from "node:net";
import { type Json, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

let now = new Date("2026-11-01T12:00:00Z");
const standin = withStandin(() => now);
const code = "CenAusten01";
const lifetime = 32 * 3600 * 1000;

const videoOf = async (each: string): Promise<string> =>
  (await shownOf(standin(), each)).video_versions[0].url as string;
const videoOfKind = (kind: string) => videoOf(codeOfKind(standin(), kind));

describe("a video", () => {
  test("comes whole, from another origin, with what a media host says of it", async () => {
    const url = await videoOf(code);
    expect(new URL(url).origin).toBe(standin().mediaOrigin);
    expect(standin().mediaOrigin).not.toBe(standin().origin);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get("content-length")));
    expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
    expect(standin().counters.of("media", code)).toBe(1);
  });

  test("comes in parts", async () => {
    const url = await videoOf(code);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const partOf = async (range: string) => {
      const answer = await fetch(url, { headers: { range } });
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        body: Buffer.from(await answer.arrayBuffer()),
      };
    };
    const size = whole.length;
    expect(await partOf("bytes=100-199")).toEqual({
      status: 206,
      range: `bytes 100-199/${size}`,
      body: whole.subarray(100, 200),
    });
    expect(await partOf("bytes=100-")).toEqual({
      status: 206,
      range: `bytes 100-${size - 1}/${size}`,
      body: whole.subarray(100),
    });
    expect(await partOf("bytes=-50")).toEqual({
      status: 206,
      range: `bytes ${size - 50}-${size - 1}/${size}`,
      body: whole.subarray(size - 50),
    });
    expect(await partOf(`bytes=0-${size * 2}`)).toMatchObject({ status: 206, range: `bytes 0-${size - 1}/${size}` });
    expect(await partOf(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` });
    expect(await partOf("bytes=9-3")).toMatchObject({ status: 416 });
    expect(await partOf("lines=1-2")).toMatchObject({ status: 200 });
  });

  test("has a picture beside it, and its account one too", async () => {
    const media = await shownOf(standin(), code);
    const poster = await fetch(media.image_versions2.candidates[0].url as string);
    expect([...new Uint8Array(await poster.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8]);
    const avatar = await fetch(media.user.profile_pic_url as string);
    expect(avatar.headers.get("content-type")).toBe("image/png");
    expect(standin().counters.of("thumbnail", code)).toBe(1);
  });

  test("is not to be had without its seal, nor after its end", async () => {
    const url = await videoOf(code);
    const forged = new URL(url);
    forged.searchParams.set("oh", "x");
    expect((await fetch(forged)).status).toBe(403);
    const prolonged = new URL(url);
    prolonged.searchParams.set("oe", "FFFFFFFF");
    expect((await fetch(prolonged)).status).toBe(403);
    const before = now;
    now = new Date(before.getTime() + lifetime + 1000);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(await videoOf(code))).status).toBe(200);
    now = before;
  });
});

/** Reads by hand what comes over the line, since `fetch` corrects or refuses much of it. */
function readRaw(
  url: string,
  atMost = Infinity,
): Promise<{ status: number; declared: number; received: number; whole: boolean }> {
  return new Promise((resolve, reject) => {
    const call = request(url, (answer) => {
      let received = 0;
      const status = answer.statusCode ?? 0;
      const declared = Number(answer.headers["content-length"] ?? Number.NaN);
      const done = () => resolve({ status, declared, received, whole: answer.complete });
      answer.on("data", (part: Buffer) => {
        received += part.length;
        if (received >= atMost) answer.destroy();
      });
      answer.on("close", done);
      answer.on("error", () => undefined);
    });
    call.on("error", reject);
    call.end();
  });
}

/** Reads past the declared length, which no HTTP client does. */
function readSocket(url: string): Promise<{ declared: number; received: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`),
    );
    socket.on("data", (part) => parts.push(part));
    socket.on("error", reject);
    socket.on("close", () => {
      const all = Buffer.concat(parts);
      const body = all.indexOf("\r\n\r\n") + 4;
      const declared = Number(/content-length: (\d+)/i.exec(all.toString("latin1", 0, body))?.[1]);
      resolve({ declared, received: all.length - body });
    });
  });
}

describe("what goes wrong on the way", () => {
  test.each([
    ["expiredMedia", 403],
    ["missingMedia", 404],
  ])("%s is %i", async (kind, status) => {
    expect((await fetch(await videoOfKind(kind))).status).toBe(status);
  });

  test("a line cut in the middle", async () => {
    const read = await readRaw(await videoOfKind("cutMedia"));
    expect(read.whole).toBe(false);
    expect(read.received).toBeLessThan(read.declared);
  });

  test("a length twice what comes, and half of it", async () => {
    const long = await readRaw(await videoOfKind("lengthTooLong"));
    expect(long).toMatchObject({ whole: false, declared: long.received * 2 });
    const short = await readSocket(await videoOfKind("lengthTooShort"));
    expect(short.received).toBeGreaterThanOrEqual(short.declared * 2);
  });

  test("a body without end, and one of 150 MiB", async () => {
    const endless = await readRaw(await videoOfKind("endlessMedia"), 8_000_000);
    expect(endless.declared).toBeNaN();
    expect(endless.received).toBeGreaterThanOrEqual(8_000_000);
    const huge = await readRaw(await videoOfKind("hugeMedia"), 2_000_000);
    expect(huge.declared).toBe(150 * 1024 * 1024);
  });

  test("a byte now and then", async () => {
    const drip = await readRaw(await videoOfKind("slowMedia"), 2);
    expect(drip.received).toBeLessThan(10);
  });

  test("redirects that nobody should follow", async () => {
    const locationOf = async (kind: string) => {
      const answer = await fetch(await videoOfKind(kind), { redirect: "manual" });
      expect(answer.status).toBe(302);
      return answer.headers.get("location") ?? "";
    };
    expect(await locationOf("redirectToPrivate")).toContain("169.254.169.254");
    expect(await locationOf("redirectLoop")).toMatch(/^\?/);
    const forbidden = await locationOf("redirectToForbidden");
    expect(new URL(forbidden).origin).toBe(standin().forbiddenOrigin);
    expect(standin().counters.of("forbidden")).toBe(0);
    await (await fetch(forbidden)).body?.cancel();
    expect(standin().counters.of("forbidden")).toBe(1);
  });

  test("links in the JSON that nobody should follow, and a wrong type", async () => {
    expect(await videoOfKind("linkToPrivate")).toBe("http://10.0.0.1/video.mp4");
    expect(await videoOfKind("linkToFile")).toBe("file:///etc/passwd");
    const wrong = await fetch(await videoOfKind("wrongContentType"), { method: "HEAD" });
    expect(wrong.headers.get("content-type")).toBe("text/html");
  });
});

describe("an address that has run out", () => {
  test("once: the next one lives", async () => {
    const statusOf = async () => (await fetch(await videoOfKind("endedOnceMedia"))).status;
    expect([await statusOf(), await statusOf()]).toEqual([403, 200]);
  });
});

test("both videos of a carousel can be had", async () => {
  const album = await shownOf(standin(), codeOfKind(standin(), "carousel"));
  const sizes = await Promise.all(
    (album.carousel_media as Json[]).map(
      async (each) => (await (await fetch(each.video_versions[0].url as string)).arrayBuffer()).byteLength,
    ),
  );
  expect(new Set(sizes).size).toBe(2);
  expect(Math.min(...sizes)).toBeGreaterThan(100_000);
});

test("nothing is had by odd paths", async () => {
  for (const path of ["/", "/o1/v/t16/f2/m69/1_0.mp4", "/../reels.json", "/v/t51.2885-19/x.png"])
    expect((await fetch(standin().mediaOrigin + path)).status).toBe(403);
});
