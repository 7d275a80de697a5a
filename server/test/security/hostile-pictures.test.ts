import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createPictureProcess } from "../../src/adapters/pictures/picture-process.ts";
import { createImageSource } from "../../src/adapters/pictures/picture-sources.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";
import {
  animatedPng,
  animatedWebp,
  avifStating,
  commentFlood,
  interlacedPng,
  jpegStating,
  pngOf,
  progressiveJpeg,
  textFlood,
  webpStating,
} from "./hostile-pictures.ts";

const megabyte = 1024 ** 2;
const mostChildBytes = 512 * megabyte;
/** A process that grows fast is over its limit for a moment. */
const tolerance = 100 * megabyte;
const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const jpeg = await solid(64, 64).jpeg().toBuffer();
const png = await solid(64, 64).png().toBuffer();
const largePng = await solid(3_000, 3_000).png({ compressionLevel: 0 }).toBuffer();
const gif = await solid(64, 64).gif().toBuffer();
const webp = await solid(64, 64).webp().toBuffer();
const avif = await solid(64, 64).avif({ effort: 0 }).toBuffer();

/** Takes seconds to draw, and as many to make, so that it is made once. */
const slow = await interlacedPng(16_000, 1_600);

/** For what may take for ever. */
const hasty = createImageSource(undefined, 5);
let ana: SignedIn | undefined;
let ben: SignedIn | undefined;
const service = serviceOfTests({ transcriber: null });
beforeAll(async () => {
  ana = await signInNew(service);
  ben = await signInNew(service);
});

async function upload(person: SignedIn | undefined, bytes: Uint8Array, type = "image/png") {
  const answer = await person!.jar.fetch(`${service.url}/app/bio/images`, {
    method: "POST",
    headers: { origin: service.url, "content-type": type },
    body: Buffer.from(bytes),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const isRefused = (says: string, status = 422) => ({
  status,
  body: { error: { code: "invalidRequest", message: expect.stringContaining(says) } },
});

/** Ids of processes that draw pictures for this one. */
const drawers = (): number[] =>
  readdirSync("/proc").flatMap((name) => {
    try {
      const isOurs = readFileSync(`/proc/${name}/status`, "latin1").includes(`\nPPid:\t${process.pid}\n`);
      return isOurs && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("picture-child") ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

/** The only one that there is, or soon will be. */
async function theDrawer(): Promise<number> {
  await expect.poll(drawers).toHaveLength(1);
  return drawers()[0]!; // safe: it was just there
}

async function endDrawers(): Promise<void> {
  for (const id of drawers()) process.kill(id, "SIGKILL");
  await expect.poll(drawers).toEqual([]);
}

/** The most memory that a process has had. */
const peakOf = (id: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "latin1"))?.[1] ?? 0) * 1024;

/** Answers what `draw` did, for which a new process takes no more memory than it may. */
async function measured<Result>(draw: () => Promise<Result>): Promise<Result> {
  await endDrawers();
  let peak = 0;
  const watch = setInterval(() => {
    for (const id of drawers()) peak = Math.max(peak, peakOf(id));
  }, 20);
  const result = await draw().finally(() => clearInterval(watch));
  for (const id of drawers()) peak = Math.max(peak, peakOf(id));
  expect(peak).toBeLessThan(mostChildBytes + tolerance);
  return result;
}

describe.runIf(process.platform === "linux")("a hostile picture", () => {
  test("is refused with the reason, by its header if possible", async () => {
    const refused: readonly [string, Buffer, string][] = [
      ["PNG of one row", pngOf({ width: 39_999_999, height: 1, bits: 16 }, Buffer.alloc(9)), "at most 16,384"],
      ["PNG of one column", pngOf({ width: 1, height: 16_385 }, Buffer.alloc(9)), "at most 16,384"],
      ["PNG of too many pixels", pngOf({ width: 16_000, height: 16_000 }, Buffer.alloc(9)), "more than 40 million"],
      ["JPEG of a long row", jpegStating(jpeg, 65_500, 600), "at most 16,384"],
      ["JPEG of too many pixels", jpegStating(jpeg, 16_000, 16_000), "more than 40 million"],
      ["WebP of a long row", webpStating(webp, 16_777_216, 2), "at most 16,384"],
      ["WebP of too many pixels", webpStating(webp, 16_000, 16_000), "more than 40 million"],
      ["AVIF of a long row", avifStating(avif, 20_000, 700), "at most 16,384"],
      ["AVIF of too many pixels", avifStating(avif, 5_000, 5_000), "more than 16 million"],
      ["PNG of 5,000 frames", animatedPng(5_000), "animated"],
      ["WebP of 5,000 frames", animatedWebp(webp, 5_000, 2), "animated"],
      ["WebP of 5,000 frames that denies it", animatedWebp(webp, 5_000, 0), "animated"],
      ["GIF", gif, "is a GIF"],
      ["half a PNG", largePng.subarray(0, 400_000), "damaged"],
      ["half a JPEG", jpeg.subarray(0, jpeg.length - 100), "damaged"],
      ["half a WebP", webp.subarray(0, webp.length - 20), "damaged"],
      ["half an AVIF", avif.subarray(0, avif.length - 20), "damaged"],
      [
        "a PNG of a million empty chunks",
        pngOf({ width: 9, height: 9 }, Buffer.alloc(0), [Buffer.alloc(12_000_000)]),
        "damaged",
      ],
    ];
    await measured(async () => {
      for (const [name, bytes, says] of refused) expect(await upload(ana, bytes), name).toMatchObject(isRefused(says));
    });
  });

  test.each([
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'), "image/png"],
    ["a page", Buffer.from("<html><script>alert(1)</script></html>"), "image/jpeg"],
  ])("is known by its bytes, whatever it is sent as: %s", async (_name, bytes, type) => {
    expect(await upload(ana, bytes, type)).toMatchObject(isRefused("not an image", 415));
    expect((await upload(ana, png, "image/svg+xml")).status).toBe(201);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ["texts of 3 GB in a PNG of 3 MB", async () => textFlood()],
    ["comments of 13 MB in a JPEG", async () => commentFlood(jpeg)],
    ["a PNG of 26 million pixels, interlaced, 16 bits", async () => slow],
    ["a progressive JPEG of 40 million pixels", () => progressiveJpeg()],
    ["a WebP of 40 million pixels", () => solid(16_000, 2_500).webp({ effort: 0 }).toBuffer()],
    ["an AVIF of 16 million pixels", () => solid(4_000, 4_000).avif({ effort: 0 }).toBuffer()],
  ])("that is accepted takes bounded memory: %s", async (_name, make) => {
    const bytes = await make();
    expect((await measured(() => upload(ana, bytes))).status).toBe(201);
  });

  test("that would take more is refused, or just not", async () => {
    const largest = await interlacedPng(16_000, 2_500);
    expect([201, 422]).toContain((await measured(() => upload(ana, largest))).status);
    const scans = await progressiveJpeg(2_000);
    const draw = () => expect(hasty.draw("acc_1", scans)).rejects.toThrow("damaged");
    await measured(draw);
  });

  test("that takes long blocks only others of its account", async () => {
    const ended: string[] = [];
    const sendPicture = (person: SignedIn | undefined, bytes: Buffer, name: string) =>
      upload(person, bytes).then(({ status }) => ended.push(`${name} ${status}`));
    await endDrawers();
    const all = [slow, png, png].map((bytes) => sendPicture(ana, bytes, "ana"));
    const drawing = await theDrawer();
    process.kill(drawing, "SIGSTOP");
    await sendPicture(ben, png, "ben");
    await sendPicture(ben, png, "ben");
    expect(ended).toEqual(["ben 201", "ben 201"]);
    expect(drawers().length, "one draws for each").toBeLessThanOrEqual(2);
    process.kill(drawing, "SIGCONT");
    await Promise.all(all);
    expect(ended.slice(2)).toEqual(["ana 201", "ana 201", "ana 201"]);
    expect((await upload(ana, png)).status).toBe(201);
  });

  test("that ends its process is retried once: the machine may be responsible", async () => {
    await endDrawers();
    await upload(ana, png);
    const drawing = await theDrawer();
    const dies = upload(ana, slow);
    await expect.poll(() => peakOf(drawing)).toBeGreaterThan(200 * megabyte);
    process.kill(drawing, "SIGKILL");
    expect((await upload(ben, png)).status).toBe(201);
    expect(await dies).toMatchObject({ status: 201 });
    expect(drawers(), "it was replaced").not.toContain(drawing);
    expect((await upload(ana, png)).status).toBe(201);
  });

  test("that stops its process is refused eventually, only that account's", async () => {
    await endDrawers();
    const refused = hasty.draw("acc_1", slow).then(() => "drawn", String);
    const drawing = await theDrawer();
    process.kill(drawing, "SIGSTOP");
    expect((await upload(ben, png)).status).toBe(201);
    expect(await refused).toContain("takes too long");
    expect(drawers(), "it was replaced").not.toContain(drawing);
    expect((await upload(ana, png)).status).toBe(201);
  });

  test("that never arrives occupies only a place of its own account", async () => {
    const begin = ({ cookie }: SignedIn) => {
      const { hostname, port } = new URL(service.url);
      const sending = request({
        hostname,
        port,
        method: "POST",
        path: "/app/bio/images",
        headers: { cookie, origin: service.url, "content-type": "image/png", "content-length": png.length },
      });
      const answered = once(sending, "response").then(([answer]) => (answer as IncomingMessage).resume().statusCode);
      answered.catch(() => undefined);
      sending.write(png.subarray(0, 10));
      return { sending, answered };
    };
    const bens = begin(ben!);
    const anas = Array.from({ length: 6 }, () => begin(ana!));
    expect(await Promise.any(anas.map(({ answered }) => answered))).toBe(503);
    bens.sending.end(png.subarray(10));
    expect(await bens.answered).toBe(201);
    for (const { sending } of anas) sending.on("error", () => undefined).destroy();
  });

  test("cannot make an account hold all places for waiting", async () => {
    const images = createImageSource(undefined, 3_600);
    const large = await interlacedPng(2_000, 400);
    const drawn = await Promise.allSettled(Array.from({ length: 12 }, () => images.draw("acc_1", large)));
    const refused = drawn.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) expect(error).toMatchObject({ code: "rateLimited", status: 429, retryAfter: 10 });
  });
});

test("colors and which side is up outlive what is dropped", async () => {
  const images = createImageSource(undefined, 3_600);
  for (const format of ["jpeg", "png", "webp"] as const) {
    const given = await solid(40, 20)
      .toFormat(format)
      .withExif({ IFD0: { Artist: "Somebody" } })
      .withIccProfile("p3")
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height, files } = await images.draw("acc_1", given);
    expect([width, height], format).toEqual([20, 40]);
    const [red = 0] = await sharp(Buffer.from(files["large.webp"])).raw().toBuffer();
    expect(red, `${format} keeps its profile`).toBeGreaterThan(150);
  }
});

describe("a process that a picture took over", () => {
  async function answering(answer: string): Promise<unknown> {
    const program = path.join(directoryOfTest(), "taken-over.mjs");
    writeFileSync(
      program,
      `const webp = Buffer.from("${webp.toString("base64")}", "base64");
      process.on("message", () => process.send(${answer}));
      process.on("disconnect", () => process.exit());`,
    );
    const drawing = createPictureProcess(program).draw({ kind: "thumbnail", bytes: jpeg });
    return drawing.catch((error: unknown) => error);
  }

  test("gives a picture and nothing else", async () => {
    const drawn = await answering(
      `{ drawn: { width: 64, height: 64, bytes: webp, owner: "acc_other" }, id: "img_other" }`,
    );
    expect(drawn).toEqual({ width: 64, height: 64, bytes: webp });
  });

  test.each([
    ["a page", `{ drawn: { width: 64, height: 64, bytes: Buffer.from("<script>alert(1)</script>") } }`],
    ["a size that is none", `{ drawn: { width: "64", height: 64, bytes: webp } }`],
    [
      "a file of many megabytes",
      `{ drawn: { width: 64, height: 64, bytes: Buffer.concat([webp, Buffer.alloc(2 ** 24)]) } }`,
    ],
    ["a status of its own", `{ failed: "You are suspended.", status: 401 }`],
    ["nothing", "null"],
  ])("is ended when it answers with %s", async (_, answer) => {
    expect(await answering(answer)).toMatchObject({ message: expect.stringMatching(/said what none says/) });
  });
});
