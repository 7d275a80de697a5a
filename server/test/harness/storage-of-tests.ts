import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import path from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll } from "vitest";
import { createS3Objects } from "../../src/adapters/objects/s3-objects.ts";
import type { Objects } from "../../src/ports.ts";
import { listen } from "./listen.ts";
import { directoryOfTests } from "./temporary-directory.ts";

const bucket = "reelscript";

interface StorageOfTests {
  readonly objects: Objects;
  /** The paths of the stored objects in the bucket, each with the ending `_object`. */
  list(): Promise<string[]>;
}

/** An object storage for the tests around it. `answer` may answer a request in its place, and returns whether it did. */
export function storageOfTests(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): StorageOfTests {
  const directory = directoryOfTests();
  const server = createServer();
  let s3Objects: Objects;
  beforeAll(async () => {
    const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: bucket, configs: [] }] });
    await s3.configureBuckets();
    const pass = s3.callback() as RequestListener;
    server.on("request", (request, response) => {
      if (!answer(request, response)) pass(request, response);
    });
    const { origin: endpoint } = await listen(server);
    const key = { region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
    // A busy machine takes long for a request.
    s3Objects = createS3Objects({ endpoint, bucket, ...key, patienceMilliseconds: 60_000, restMilliseconds: 0 });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    objects: {
      put: (...parameters) => s3Objects.put(...parameters),
      get: (...parameters) => s3Objects.get(...parameters),
      remove: (...parameters) => s3Objects.remove(...parameters),
    },
    list: async () =>
      (await readdir(path.join(directory, bucket), { recursive: true })).filter((name) => name.endsWith("_object")),
  };
}
