import { lookup } from "node:dns/promises";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createDiskObjects } from "../../src/adapters/objects/disk-objects.ts";
import { createImageSource } from "../../src/adapters/pictures/picture-sources.ts";
import type { ImageSource } from "../../src/ports.ts";
import { ask } from "../harness/ask.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { rest } from "../harness/rest.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { nameServerOfTest } from "../harness/start-name-server.ts";
import { serviceOfTests, startTestService } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const day = 86_400_000;

/** Left half red, right half blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#e00000" } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: "#0000e0" } },
      left: width / 2,
      top: 0,
    },
  ]);

const atSites = new Map<string, Uint8Array>();
const fetched: string[] = [];
/** A test of host names sets this source, which reaches other sites by their names. */
let imageSource: ImageSource | undefined;
const imageAt: ImageSource["fetch"] = async (url, signal) => {
  if (imageSource) return imageSource.fetch(url, signal);
  fetched.push(url);
  const bytes = atSites.get(url);
  if (bytes === undefined) throw new ServiceError("invalidRequest", "there is no image at this address.");
  return bytes;
};

const directory = directoryOfTests();
const service = serviceOfTests({ transcriber: null, imageAt });

async function upload({ jar }: SignedIn, body: Uint8Array | object, query = "", url = service.url) {
  const isFile = body instanceof Uint8Array;
  const answer = await jar.fetch(`${url}/app/bio/images${query}`, {
    method: "POST",
    headers: { origin: url, "content-type": isFile ? "image/jpeg" : "application/json" },
    body: isFile ? Buffer.from(body) : JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

/** The colors of the outer ends of the middle row. */
async function ends(bytes: Uint8Array): Promise<readonly string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  return [row, row + info.width - 1].map((pixel) =>
    (data[pixel * info.channels] ?? 0) > (data[pixel * info.channels + 2] ?? 0) ? "red" : "blue",
  );
}

describe("a file", () => {
  test("becomes four cacheable files, upright, cropped and without metadata", async () => {
    const person = await signIn(service, { email: "portrait@example.com" });
    await person.api("claimBioHandle", { handle: "portrait" });
    // Turned by its metadata: 1200 wide and 1800 high as people see it.
    const given = await halves(1_800, 1_200)
      .jpeg()
      .withExif({ IFD0: { Artist: "Somebody" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const whole = await upload(person, given);
    expect(whole).toEqual({
      status: 201,
      body: { url: expect.stringMatching(/\/media\/images\/[\w-]{22}\.webp$/), width: 1_067, height: 1_600 },
    });
    expect(await upload(person, given), "the same image has the same address").toEqual(whole);
    const { body } = await upload(person, await halves(1_000, 500).png().toBuffer(), "?crop=0.5,0,0.5,1");
    expect(body).toMatchObject({ width: 500, height: 500 });

    const update = await person.api("updateBioPage", { avatarUrl: body.url, seo: { imageUrl: whole.body.url } });
    expect(update.body).toMatchObject({ avatarUrl: body.url, seo: { imageUrl: whole.body.url } });
    const { text, headers } = await ask(service.url, "/@portrait");
    expect(headers["content-security-policy"]).toContain("img-src data: 'self';");
    const base = new URL(body.url).pathname.replace(/\.webp$/, "");
    expect(text).toContain(`srcset="${base}-small.webp"><img src="${base}-small.jpg" alt="">`);
    expect(text).toContain(`og:image" content="${whole.body.url.replace(/webp$/, "jpg")}"`);
    for (const [ending, type] of [
      [".webp", "webp"],
      [".jpg", "jpeg"],
      ["-small.webp", "webp"],
      ["-small.jpg", "jpeg"],
    ] as const) {
      const file = await ask(service.url, base + ending);
      expect([file.status, file.headers["content-type"], file.headers["cache-control"]]).toEqual([
        200,
        `image/${type}`,
        "public, max-age=31536000, immutable",
      ]);
      const { format, exif } = await sharp(file.bytes).metadata();
      expect([format, exif]).toEqual([type, undefined]);
      expect(await ends(file.bytes)).toEqual(["blue", "blue"]);
    }
    const noise = sharp({
      create: {
        width: 700,
        height: 900,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    });
    const loud = await upload(person, await noise.jpeg({ quality: 95 }).toBuffer());
    const small = await ask(service.url, new URL(loud.body.url).pathname.replace(".webp", "-small.webp"));
    expect(small.bytes.length, "a portrait is at most 30 kB").toBeLessThanOrEqual(30_000);
  });

  test("may be an AVIF, and becomes the same files", async () => {
    const person = await signIn(service, { email: "modern@example.com" });
    for (const bitdepth of [8, 10] as const) {
      const given = await halves(400, 300).removeAlpha().avif({ bitdepth, effort: 0 }).toBuffer();
      const { status, body } = await upload(person, given, "?crop=0,0,0.5,1");
      expect([status, body.width, body.height]).toEqual([201, 200, 300]);
      const base = new URL(body.url).pathname.replace(/\.webp$/, "");
      for (const ending of [".webp", ".jpg", "-small.webp", "-small.jpg"])
        expect(await ends((await ask(service.url, base + ending)).bytes), ending).toEqual(["red", "red"]);
    }
  });

  test("in an unsupported format is refused with the remedy, losing nothing", async () => {
    const person = await signIn(service, { email: "refused@example.com" });
    const good = await upload(person, await halves(40, 40).png().toBuffer());
    await person.api("updateBioPage", { avatarUrl: good.body.url });
    const frames = await sharp(Buffer.from(Array.from({ length: 8 * 4 * 3 }, (_, index) => (index * 37) % 251)), {
      raw: { width: 8, height: 4, channels: 3, pageHeight: 2 },
    })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    const png = await halves(8, 8).png().toBuffer();
    const animatedPng = Buffer.concat([
      png.subarray(0, 33),
      Buffer.from("\0\0\0\bacTL00000000CRC0", "latin1"),
      png.subarray(33),
    ]);
    const jpeg = await halves(600, 600).jpeg().toBuffer();
    // A head that promises 30,000 by 30,000 pixels in a few bytes.
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    const avif = await halves(600, 600).removeAlpha().avif({ effort: 0 }).toBuffer();
    const promising = (side: number): Buffer => {
      const changed = Buffer.from(avif);
      const size = changed.indexOf("ispe") + 8;
      changed.writeUInt32BE(side, size);
      changed.writeUInt32BE(side, size + 4);
      return changed;
    };
    const animatedAvif = Buffer.from(avif);
    animatedAvif.write("avis", 8, "latin1");
    for (const [bytes, status, says] of [
      [Buffer.from("GIF89a0000"), 422, "The image is a GIF"],
      [frames, 422, "The image is animated"],
      [animatedPng, 422, "The image is animated"],
      [jpeg.subarray(0, jpeg.length / 2), 422, "The image is damaged"],
      [bomb, 422, "30000 by 30000 pixels"],
      [Buffer.from("0000ftypheic0000"), 422, "HEIC"],
      [animatedAvif, 422, "The image is animated"],
      [avif.subarray(0, avif.length / 2), 422, "The image is damaged"],
      [promising(5_000), 422, "5000 by 5000 pixels, more than 16 million"],
      [promising(20), 422, "The image is damaged"],
      [Buffer.from("0000ftyp"), 415, "not an image"],
      [Buffer.from("0000ftypmp420000"), 415, "not an image"],
      [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), 415, "not an image"],
      [Buffer.from("<script>alert(1)</script>"), 415, "not an image"],
      [Buffer.alloc(0), 415, "not an image"],
      [Buffer.alloc(15_000_001, 0xff), 413, "larger than 15 MB"],
    ] as const)
      expect(await upload(person, bytes), says).toMatchObject({
        status,
        body: { error: { code: "invalidRequest", message: expect.stringContaining(says) } },
      });
    for (const crop of ["0,0,2,1", "a", "0,0,0,1", "0,0,1", "-1,0,1,1"])
      expect((await upload(person, png, `?crop=${crop}`)).status, crop).toBe(400);
    expect((await person.api("getMyBioPage")).body.avatarUrl).toBe(good.body.url);
    expect((await ask(service.url, new URL(good.body.url).pathname)).status).toBe(200);
  });

  test("is taken from signed-in people on our own pages alone", async () => {
    const png = await halves(8, 8).png().toBuffer();
    const send = (headers: Record<string, string>) =>
      fetch(`${service.url}/app/bio/images`, { method: "POST", headers, body: new Uint8Array(png) });
    expect((await send({ origin: service.url })).status).toBe(401);
    const { cookie } = await signIn(service, { email: "crossed@example.com" });
    expect((await send({ cookie, origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("an image of another site", () => {
  test("is fetched once, stored here, and has our address afterward", async () => {
    const { key } = await service.createCaller();
    const url = "https://pictures.example/me.png?size=1";
    atSites.set(url, await halves(64, 64).png().toBuffer());
    const change = (body: object, query = "") => rest(service.url, `/bio${query}`, { key, method: "PATCH", body });
    fetched.length = 0;
    const links = [{ title: "One", url: "https://example.com/", thumbnailUrl: url }];
    expect((await change({ avatarUrl: url }, "?dryRun=true")).body.avatarUrl).toBe(url);
    expect(fetched, "a dry run leaves nothing behind").toEqual([]);
    const theme = { background: { type: "image", value: url } };
    const { body } = await change({ avatarUrl: url, links, theme });
    const ours = expect.stringMatching(new RegExp(`^${service.url}/media/images/[\\w-]{22}\\.webp$`));
    expect(body).toMatchObject({
      avatarUrl: ours,
      links: [{ thumbnailUrl: ours }],
      theme: { background: { value: ours } },
    });
    expect(body.changes).toContainEqual({ path: "avatarUrl", before: null, after: body.avatarUrl });
    const again = await change({ avatarUrl: body.avatarUrl, links: body.links });
    expect(again.body.changes, "what was read can be written").toEqual([]);
    expect(fetched).toEqual([url]);
    const other = await service.createCaller();
    for (const avatarUrl of [body.avatarUrl, body.avatarUrl.replace(/\w{4}\.webp/, "0000.webp")])
      expect(await rest(service.url, "/bio", { key: other.key, method: "PATCH", body: { avatarUrl } })).toMatchObject({
        status: 400,
        body: { error: { message: "`avatarUrl`: the account has no such image." } },
      });
  });

  test("that cannot be had changes nothing, and the message names its field", async () => {
    const { key } = await service.createCaller();
    atSites.set("https://pictures.example/page", Buffer.from("<html>"));
    const thumbnails = (urls: readonly string[]) => ({
      links: urls.map((thumbnailUrl) => ({ title: "x", url: "https://example.com/", thumbnailUrl })),
    });
    for (const [patch, says] of [
      [{ avatarUrl: "https://pictures.example/none" }, "`avatarUrl`: there is no image"],
      [thumbnails(["https://pictures.example/page"]), "`links[0].thumbnailUrl`: this is not an image"],
      [
        { avatarUrl: "http://evil.example/media/images/0123456789abcdefghij-_.webp" },
        "`avatarUrl`: must be an https URL",
      ],
      [thumbnails(Array.from({ length: 13 }, (_, index) => `https://pictures.example/${index}`)), "at most 12"],
    ] as const)
      expect(await rest(service.url, "/bio", { key, method: "PATCH", body: patch }), says).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(says) } },
      });
    expect((await rest(service.url, "/bio", { key })).body).toMatchObject({ revision: 0, avatarUrl: null, links: [] });
  });
});

test("an image unused for 30 days is deleted, even from revisions", async () => {
  const person = await signIn(service, { email: "sweeper@example.com" });
  const image = async (size: number) => (await upload(person, await halves(size, size).png().toBuffer())).body.url;
  const first = await image(50);
  const second = await image(60);
  await person.api("updateBioPage", { avatarUrl: first });
  await person.api("updateBioPage", { avatarUrl: second });
  const status = async (url: string) => (await ask(service.url, new URL(url).pathname)).status;
  const begin = service.clock.now().getTime();
  const sweep = (days: number) => runUpkeep(service.store, "forget-expired-data", new Date(begin + days * day));
  for (const days of [2, 20, 29]) await sweep(days);
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  await sweep(31);
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  await sweep(62);
  expect(await status(second)).toBe(200);
  expect((await person.api("revertBioPage", { revision: 1 })).body).toMatchObject({ avatarUrl: null });
  expect((await person.api("deleteAccount", { confirm: "sweeper@example.com" })).status).toBe(200);
  expect(await status(second)).toBe(404);
});

test("an object storage keeps the files, and loses them with their image", async () => {
  const objects = createDiskObjects(directory);
  const other = await startTestService({ transcriber: null, objects, imageAt });
  const person = await signIn(other);
  const { body } = await upload(person, await halves(90, 90).png().toBuffer(), "", other.url);
  expect((await ask(other.url, new URL(body.url).pathname)).headers["content-type"]).toBe("image/webp");
  expect(await readdir(path.join(directory, "images"))).toHaveLength(4);
  const later = new Date(other.clock.now().getTime() + 40 * day);
  for (const task of ["forget-expired-data", "remove-objects"]) await runUpkeep(other.store, task, later);
  expect(await readdir(path.join(directory, "images"))).toEqual([]);
  expect(other.faults).toEqual([]);
  await other.close();
});

test("silent name servers delay nobody else; private names look missing", async () => {
  const names = await nameServerOfTest({ "intranet.example": "10.1.2.3", "missing.example": null });
  imageSource = createImageSource({ origins: ["https://*"], mayBePrivate: false, nameServers: [names.address] });
  const { key } = await service.createCaller();
  const change = async (hosts: readonly string[]) => {
    const links = hosts.map((host) => ({ title: "x", url: "https://example.com/", thumbnailUrl: `https://${host}/` }));
    return rest(service.url, "/bio", { key, method: "PATCH", body: { links } });
  };
  const waiting = change(Array.from({ length: 12 }, (_, index) => `silent${index}.example`));
  await expect.poll(() => names.requestedNames.size).toBe(3);
  expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
  const person = await signIn(service, { email: "neighbor@example.com" });
  expect((await upload(person, await halves(40, 40).png().toBuffer())).status).toBe(201);
  const refused = await waiting;
  expect(refused.status).toBe(400);
  // Whichever of the twelve is given up first is the one that is named.
  const message = refused.body.error.message.replace(/^`links\[\d+\]/, "`links[0]");
  for (const host of ["missing.example", "intranet.example"])
    expect((await change([host])).body, host).toMatchObject({ error: { message } });
  imageSource = undefined;
});
