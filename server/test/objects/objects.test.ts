import { createHash, createHmac, randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { AwsClient } from "aws4fetch";
import S3rver from "s3rver";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createDiskObjects } from "../../src/adapters/objects/disk-objects.ts";
import { openObjects } from "../../src/adapters/objects/open-objects.ts";
import { createS3Objects } from "../../src/adapters/objects/s3-objects.ts";
import { largestObjectBytes, ObjectsAway, ObjectTooLarge, type Objects } from "../../src/ports/objects.ts";
import { listen } from "../harness/listen.ts";
import { hour } from "../harness/test-clock.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

/** Registers what the `Objects` port promises, as tests. */
function objectsConformance(
  objects: () => Objects,
  /** Stores an object past the port, as another program could. */
  storeAside: (name: string, bytes: Uint8Array) => Promise<void>,
): void {
  const aName = (): string => `thumbnails/instagram/${randomBytes(8).toString("hex")}.webp`;
  const someBytes = (length: number) => new Uint8Array(randomBytes(length));
  const list = (bytes: Uint8Array | undefined) => bytes && [...bytes];

  test("returns the bytes that were stored last under a name", async () => {
    const name = aName();
    expect(await objects().get(name)).toBeUndefined();
    const one = someBytes(70_000);
    const two = someBytes(10);
    await objects().put(name, one, "image/webp");
    expect(list(await objects().get(name))).toEqual([...one]);
    await objects().put(name, two, "image/webp");
    expect(list(await objects().get(name))).toEqual([...two]);
    await objects().put(name, new Uint8Array(), "image/webp");
    expect(list(await objects().get(name))).toEqual([]);
  });

  test("removes one object only, and a missing one without an error", async () => {
    const name = aName();
    const other = aName();
    await objects().put(name, someBytes(5), "image/webp");
    await objects().put(other, someBytes(6), "image/webp");
    await objects().remove(name);
    await objects().remove(name);
    expect(await objects().get(name)).toBeUndefined();
    expect(await objects().get(other)).toHaveLength(6);
  });

  test("keeps one complete object when many write to the same name", async () => {
    const name = aName();
    const versions = Array.from({ length: 8 }, () => someBytes(40_000));
    await Promise.all(versions.map((bytes) => objects().put(name, bytes, "image/webp")));
    const keptBytes = Buffer.from((await objects().get(name)) ?? []).toString("hex");
    expect(versions.map((bytes) => Buffer.from(bytes).toString("hex"))).toContain(keptBytes);
  });

  test("refuses an object that is too large, and stores none of it", async () => {
    const name = aName();
    await expect(objects().put(name, new Uint8Array(largestObjectBytes + 1), "image/webp")).rejects.toThrow(
      /too large/,
    );
    expect(await objects().get(name)).toBeUndefined();
  });

  test("reads no object that is too large, which isn't an outage", async () => {
    const large = aName();
    const fitting = aName();
    await storeAside(large, new Uint8Array(largestObjectBytes + 1));
    await objects().put(fitting, new Uint8Array(largestObjectBytes), "image/webp");
    // More often than an outage needs to be noticed.
    for (let count = 0; count < 6; count += 1)
      await expect(objects().get(large)).rejects.toBeInstanceOf(ObjectTooLarge);
    expect(await objects().get(fitting)).toHaveLength(largestObjectBytes);
    await objects().remove(large);
    expect(await objects().get(large)).toBeUndefined();
  });

  test.each([
    "",
    "/",
    "../x",
    "a/../b",
    "a/./b",
    "a//b",
    "/a",
    "a/",
    "a\0b",
    "a?b",
    "a%2e",
    "ä",
    ".a",
    "a".repeat(501),
  ])("has no object named %j", async (name) => {
    await expect(objects().put(name, someBytes(1), "image/webp")).rejects.toThrow(/not a name/);
    await expect(objects().get(name)).rejects.toThrow(/not a name/);
    await expect(objects().remove(name)).rejects.toThrow(/not a name/);
  });
}

const directory = directoryOfTests();

const credentials = { region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

describe("objects on the disk", () => {
  objectsConformance(
    () => createDiskObjects(path.join(directory, "objects")),
    async (name, bytes) => {
      const file = path.join(directory, "objects", name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes);
    },
  );

  test("are unavailable without a usable folder, and leave no partial file", async () => {
    const folder = path.join(directory, "broken");
    await mkdir(folder);
    await writeFile(path.join(folder, "a"), "a file where a folder should be");
    const objects = createDiskObjects(folder);
    await expect(objects.put("a/b", new Uint8Array(1), "image/webp")).rejects.toThrow(ObjectsAway);
    await mkdir(path.join(folder, "c"));
    await expect(objects.put("c", new Uint8Array(1), "image/webp")).rejects.toThrow(ObjectsAway);
    expect((await readdir(folder)).toSorted()).toEqual(["a", "c"]);
  });

  test("report failures by action, with actions of their own for media", async () => {
    const folder = path.join(directory, "reported");
    await mkdir(folder);
    await writeFile(path.join(folder, "objects"), "a file where a folder should be");
    const actions: string[] = [];
    const objects = openObjects({ kind: "disk" }, folder, (_error, action) => actions.push(action))!;
    for (const name of ["thumbnails/a.webp", "media/a.part"]) {
      await expect(objects.put(name, new Uint8Array(1), "image/webp")).rejects.toThrow(ObjectsAway);
      await expect(objects.get(name)).rejects.toThrow(ObjectsAway);
      await expect(objects.remove(name)).rejects.toThrow(ObjectsAway);
    }
    expect(actions).toEqual(["put", "get", "remove", "putMedia", "getMedia", "removeMedia"]);
  });
});

describe("objects in a real object storage", () => {
  let server: S3rver;
  let endpoint: string;
  const open = (settings: object = {}): Objects =>
    createS3Objects({ endpoint, bucket: "pictures", ...credentials, ...settings });
  beforeAll(async () => {
    server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: path.join(directory, "s3"),
      configureBuckets: [{ name: "pictures", configs: [] }],
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.close());

  let reading: Objects;
  beforeAll(() => (reading = open({ patienceMilliseconds: 60_000 })));
  const client = new AwsClient({ ...credentials, service: "s3", retries: 0 });
  objectsConformance(
    () => reading,
    async (name, bytes) => {
      const { status } = await client.fetch(`${endpoint}/pictures/${name}`, {
        method: "PUT",
        body: Buffer.from(bytes),
      });
      if (status !== 200) throw new Error(`the storage answered ${status}`);
    },
  );

  test("are away, not gone, with a wrong bucket or key", async () => {
    await expect(open({ bucket: "another" }).get("a")).rejects.toThrow(/404 NoSuchBucket/);
    await expect(open({ accessKeyId: "nobody" }).put("a", new Uint8Array(1), "x/y")).rejects.toThrow(/403/);
  });
});

describe("an object storage that misbehaves", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  async function open(answer: RequestListener, settings: object = {}): Promise<Objects> {
    server = createServer(answer);
    const { origin: endpoint } = await listen(server);
    return createS3Objects({ endpoint, bucket: "pictures", ...credentials, patienceMilliseconds: 200, ...settings });
  }

  test.each<[string, RequestListener]>([
    ["hangs", () => undefined],
    ["sends a beginning and hangs", (_request, response) => void response.writeHead(200).write("a")],
    ["answers 404 with a page", (_request, response) => void response.writeHead(404).end("<html>not here</html>")],
    ["answers 500", (_request, response) => void response.writeHead(500).end()],
    ["breaks off", (_request, response) => void response.destroy()],
    [
      "sends less than it promised",
      (_request, response) => {
        response.writeHead(200, { "content-length": "10" }).write("a");
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ["leads elsewhere", (_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end()],
    [
      "sends more than anybody stored",
      (_request, response) => {
        const chunk = Buffer.alloc(1_000_000);
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", more);
        more();
      },
    ],
  ])("is away when it %s", async (_name, answer) => {
    const objects = await open(answer, { patienceMilliseconds: _name.includes("more than") ? 20_000 : 200 });
    await expect(objects.get("a")).rejects.toThrow(ObjectsAway);
  });

  test("can verify the caller's signature (Signature Version 4, computed by itself)", async () => {
    const seen: { readonly given: string; readonly computed: string }[] = [];
    const objects = await open((request, response) => {
      const { authorization = "", host, "x-amz-date": at, "x-amz-content-sha256": hash } = request.headers;
      const scope = `${String(at).slice(0, 8)}/us-east-1/s3/aws4_request`;
      const signed = "host;x-amz-content-sha256;x-amz-date";
      const head = [`host:${host}`, `x-amz-content-sha256:${String(hash)}`, `x-amz-date:${String(at)}`, "", signed];
      const canonical = [request.method, request.url, "", ...head, hash].join("\n");
      const toSign = ["AWS4-HMAC-SHA256", at, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
      const key = scope
        .split("/")
        .reduce<string | Buffer>(
          (above, part) => createHmac("sha256", above).update(part).digest(),
          `AWS4${credentials.secretAccessKey}`,
        );
      const signature = createHmac("sha256", key).update(toSign).digest("hex");
      const computed = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
      seen.push({ given: authorization, computed });
      response.writeHead(200).end();
    });
    await objects.put("thumbnails/a-1.webp", new Uint8Array(3), "image/webp");
    await objects.get("thumbnails/a-1.webp");
    await objects.remove("thumbnails/a-1.webp");
    expect(seen).toHaveLength(3);
    for (const { given, computed } of seen) expect(given).toBe(computed);
  });

  test("gets at most 32 requests at once, and rests after four failures", async () => {
    const waiting: ServerResponse[] = [];
    const objects = await open((_request, response) => waiting.push(response), {
      patienceMilliseconds: hour,
      restMilliseconds: hour,
    });
    const asking = Promise.allSettled(Array.from({ length: 100 }, () => objects.get("a")));
    await expect.poll(() => waiting.length).toBe(32);
    for (const response of waiting) response.writeHead(500).end();
    expect((await asking).every(({ status }) => status === "rejected")).toBe(true);
    await expect(objects.get("a")).rejects.toThrow(ObjectsAway);
    expect(waiting).toHaveLength(32);
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => now() + hour);
    const again = objects.get("a").finally(() => later.mockRestore());
    await expect.poll(() => waiting.length).toBe(33);
    waiting[32]!.writeHead(200).end("well");
    expect(String(await again)).toBe(String(Buffer.from("well")));
  });
});
