import sharp from "sharp";
import { expect, test } from "vitest";
import { createPictureSource } from "../../src/adapters/pictures/picture-sources.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createThumbnailOf } from "../../src/features/reels.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const resolve = (key: string, url: string) =>
  rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key });

test("a thumbnail is fetched once and outlives the platform's link", async () => {
  const [{ key }, other] = await Promise.all([service.createCaller(), service.createCaller()]);
  const { code, mediaId } = service.standin.reels.find((one) => one.code === "CenAusten01")!;
  const address = `${service.url}/media/thumbnails/standin/${mediaId}.webp`;
  expect((await fetch(address)).status, "not before somebody resolved the reel").toBe(404);
  expect(service.standin.counters.of("thumbnail", code)).toBe(0);

  const url = service.standin.urlOf(code);
  const answers = await Promise.all([key, key, other.key, key].map((one) => resolve(one, url)));
  const [first] = answers;
  expect(first?.body.thumbnail).toEqual({ url: address, width: expect.any(Number), height: expect.any(Number) });
  for (const { body } of answers) expect(body.thumbnail).toEqual(first?.body.thumbnail);
  expect((await resolve(key, service.standin.urlOf(code, "p"))).body.thumbnail).toEqual(first?.body.thumbnail);
  expect(service.standin.counters.of("thumbnail", code)).toBe(1);

  const picture = await fetch(address);
  expect(picture.status).toBe(200);
  expect(picture.headers.get("content-type")).toBe("image/webp");
  expect(picture.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
  const { format, width, height, exif } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
  expect({ format, width, height, exif }).toEqual({
    format: "webp",
    width: first?.body.thumbnail.width,
    height: first?.body.thumbnail.height,
    exif: undefined,
  });
  expect(Math.max(width, height)).toBeLessThanOrEqual(640);
  const answer = await fetch(address, { headers: { "if-none-match": picture.headers.get("etag")! } });
  expect([answer.status, await answer.text()]).toEqual([304, ""]);
  expect(service.standin.counters.of("thumbnail", code), "looking at it asks nobody").toBe(1);
});

test.each([
  "standin/1.webp",
  "standin/..%2f1.webp",
  "standin/%00.webp",
  "%00/1.webp",
  "standin/https%3A%2F%2Fexample.com%2Fx.jpg",
  "nowhere/1.webp",
  "standin/1.jpg",
])("there is nothing at %s", async (path) => {
  const answer = await fetch(`${service.url}/media/thumbnails/${path}`);
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: "notFound" } }]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("is null if it can't be fetched, and the next call retries", async () => {
  const { store, clock } = service;
  const [one, two] = service.standin.reels.filter(({ kind }) => kind === "musicOnly" || kind === "silence");
  const notices: string[] = [];
  let away = true;
  const patient = new AbortController().signal;
  const thumbnailOf = createThumbnailOf({
    thumbnails: store.thumbnails,
    pictures: {
      fetch: async (platform, url) => {
        if (away) throw new Error(`${url} expired`);
        return createPictureSource([standinPlatform(service.standin)]).fetch(platform, url);
      },
    },
    clock,
    baseUrl: () => "https://reelscript.example",
    onNotice: (error, where) => void notices.push(`${where}: ${String(error)}`),
  });
  const details = async (code: string) => {
    const { body } = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(service.standin.urlOf(code))}`, {
      key: (await service.createCaller()).key,
    });
    return { ...body, mediaId: `${body.mediaId}1`, thumbnail: body.thumbnail && { ...body.thumbnail } };
  };
  const first = await details(one!.code);
  expect(await thumbnailOf(first, patient)).toBeNull();
  expect(notices).toEqual([expect.stringContaining("expired")]);
  expect(await thumbnailOf({ ...(await details(two!.code)), thumbnail: null }, patient)).toBeNull();
  expect(notices).toHaveLength(1);

  away = false;
  const list = await fetch(service.standin.origin);
  const [poster = ""] = new RegExp(`http:[^"]+${one!.mediaId}_0\\.jpg[^"]*`).exec(await list.text()) ?? [];
  const thumbnail = { url: poster.replaceAll("&amp;", "&"), width: null, height: null };
  expect(await thumbnailOf({ ...first, thumbnail }, AbortSignal.abort())).toBeNull();
  expect(await thumbnailOf({ ...first, thumbnail }, patient)).toMatchObject({
    url: `https://reelscript.example/media/thumbnails/standin/${first.mediaId}.webp`,
  });
});
