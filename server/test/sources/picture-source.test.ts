import { createServer, type Server } from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { createPictureSource } from "../../src/adapters/pictures/picture-sources.ts";
import { drawThumbnail } from "../../src/adapters/pictures/draw-image.ts";
import { listen } from "../harness/listen.ts";

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

describe("a thumbnail", () => {
  test.each([
    [
      "jpeg",
      () =>
        solid(1080, 1920)
          .jpeg()
          .withExif({ IFD0: { Artist: "somebody" } })
          .toBuffer(),
      [360, 640],
    ],
    ["png", () => solid(1000, 500).png().toBuffer(), [640, 320]],
    ["webp", () => solid(100, 50).webp().toBuffer(), [100, 50]],
  ] as const)("of %s is WebP of at most 640 pixels, without metadata", async (_format, make, [width, height]) => {
    const picture = await drawThumbnail(await make());
    expect(picture).toMatchObject({ width, height });
    const { format, exif, icc, xmp, ...metadata } = await sharp(picture.bytes).metadata();
    expect([format, metadata.width, metadata.height]).toEqual(["webp", width, height]);
    expect([exif, icc, xmp], "it says nothing of where and by whom it was taken").toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the source of pictures", () => {
  let server: Server;
  let origin: string;
  let requestedUrls: string[];
  const answers: Record<string, { status?: number; type?: string; body?: Buffer; location?: string }> = {};
  beforeAll(async () => {
    requestedUrls = [];
    server = createServer((request, response) => {
      requestedUrls.push(request.url ?? "");
      const {
        status = 200,
        type = "image/jpeg",
        body = Buffer.alloc(0),
        location,
      } = answers[request.url ?? ""] ?? { status: 404 };
      response.writeHead(status, { "content-type": type, ...(location !== undefined && { location }) }).end(body);
    });
    ({ origin } = await listen(server));
    const jpeg = await solid(100, 200).jpeg().toBuffer();
    answers["/good.jpg"] = { body: jpeg };
    answers["/page.jpg"] = { body: jpeg, type: "text/html" };
    answers["/svg.jpg"] = { body: jpeg, type: "image/svg+xml" };
    answers["/large.jpg"] = { body: Buffer.concat([jpeg, Buffer.alloc(8_000_001)]) };
    answers["/away.jpg"] = { status: 302, location: "http://127.0.0.1:9/good.jpg" };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const source = (mayBePrivate = true) =>
    createPictureSource([{ ...instagram, name: "here", origin, otherOrigins: [], mayBePrivate }]);

  test("fetches from the platform's hosts", async () => {
    expect(await source().fetch("here", `${origin}/good.jpg`)).toMatchObject({ width: 100, height: 200 });
  });

  test.each(["/missing.jpg", "/page.jpg", "/svg.jpg", "/large.jpg", "/away.jpg"])(
    "takes nothing of %s",
    async (path) => {
      await expect(source().fetch("here", origin + path)).rejects.toThrow(Error);
      expect(requestedUrls).toContain(path);
    },
  );

  test("requests no other host, private address of platforms, or unknown platform", async () => {
    const count = requestedUrls.length;
    await expect(source().fetch("here", "http://127.0.0.1:9/good.jpg")).rejects.toThrow("may not be reached");
    await expect(source().fetch("here", `${origin.replace("127.0.0.1", "localhost")}/good.jpg`)).rejects.toThrow(
      "may not be reached",
    );
    await expect(source().fetch("here", "file:///etc/passwd")).rejects.toThrow("may not be reached");
    await expect(source(false).fetch("here", `${origin}/good.jpg`)).rejects.toThrow("not public");
    await expect(source().fetch("there", `${origin}/good.jpg`)).rejects.toThrow("there");
    expect(requestedUrls).toHaveLength(count);
  });
});
