import { AsyncLocalStorage } from "node:async_hooks";
import { ServiceError } from "@reelscript/contract";
import { Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CountCalls } from "../../rules/count-calls.ts";
import { networkOf } from "../../callers/authenticate.ts";
import { describeFile, uploadPath } from "../../describe/describe-file.ts";
import type { Checksum, ReceiveFiles } from "../../features/files/receive-file.ts";
import { doorSeconds } from "../../run/patience.ts";
import type { Run } from "../../run/run.ts";
import { goneWith, type Place } from "../../run/admission.ts";
import type { Bodies } from "../bodies.ts";
import { contentTypeOf } from "../read-request.ts";
import { createUploadLocker } from "./upload-locker.ts";
import { UploadStore, type UploadRequest, WrongChecksum } from "./upload-store.ts";

export interface UploadNeeds {
  readonly receiveFiles: ReceiveFiles;
  /** Counts requests to uploads, by account. */
  readonly countUploads: CountCalls;
  readonly run: Pick<Run, "within">;
  readonly bodies: Bodies;
  readonly baseUrl: () => string;
  readonly onFault: (error: unknown, where: string) => void;
}

const bodyType = "application/offset+octet-stream";
/** The status of the protocol for a body that isn't what its checksum says. */
const wrongChecksum = 460;
/** Headers of the protocol; no other reaches its server. */
const passedHeaders = ["tus-resumable", "upload-offset", "upload-length", "content-length", "origin"];
/** Whoever has the address may read the answers, from pages of any site. */
const forAnyone = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Location, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, x-error-reason, x-request-id",
  "tus-resumable": "1.0.0",
};

/**
 * Uploads by tus 1.0 at `/uploads/<secret>`: whoever has the address may send the file, from pages of any site too. The protocol is
 * the library's; places, speeds, memory and the storage are those of all media.
 */
export function serveUploads(app: FastifyInstance, needs: UploadNeeds): void {
  const { receiveFiles, countUploads, run, bodies, onFault } = needs;
  const requests = new AsyncLocalStorage<UploadRequest>();
  const server = new Server({
    path: uploadPath,
    datastore: new UploadStore(receiveFiles, requests),
    locker: createUploadLocker(),
    // A request that another one follows ends immediately, because what it stored stays.
    lockDrainTimeout: 1,
    allowedHeaders: ["Upload-Checksum"],
    onUploadFinish: async (_request, { id }) => {
      await receiveFiles.finish(id);
      return {};
    },
    onResponseError: (_request, error) => {
      const request = requests.getStore();
      if (error instanceof ServiceError && request !== undefined) request.refusal = error;
      if (error instanceof WrongChecksum) return { status_code: wrongChecksum, body: `${error.message}\n` };
      if (!("status_code" in error) && !(error instanceof ServiceError)) onFault(error, "upload");
      return undefined;
    },
  });

  /** Whoever sends it, a request has one of its network's places while it works. */
  function inPlace<Result>(request: FastifyRequest, reply: FastifyReply, work: (place: Place) => Promise<Result>) {
    const wait = { signal: goneWith(reply.raw).signal, waitSeconds: doorSeconds.rest };
    return run.within({ kind: "anonymous", address: networkOf(request.ip) }, wait, work);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    reply.headers(forAnyone);
    return inPlace(request, reply, async ({ whileWaiting }) => {
      const file = await receiveFiles.current(token);
      await countUploads(file.accountId);
      if (file.endedAt === null && file.received < file.size)
        reply.header("upload-expires", file.expiresAt.toUTCString());
      if (request.method !== "PATCH") return send(reply, await handle(request));
      const body = bodies.mediaOf(request, reply, [bodyType], file.accountId).bytes();
      const leaveConnection = (): void => {
        // The rest of a refused body would come on the same connection.
        if (!request.raw.complete) reply.header("connection", "close");
      };
      // The sender decides how long it takes.
      return send(reply, await whileWaiting(() => handle(request, body).finally(leaveConnection)));
    });
  }

  /** Throws what the service refuses; everything else is the protocol's answer. */
  async function handle(request: FastifyRequest, body?: AsyncIterable<Uint8Array>): Promise<Response> {
    const headers = new Headers();
    for (const name of passedHeaders) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    if (body !== undefined) headers.set("content-type", contentTypeOf(request.raw));
    const asking: UploadRequest = { checksum: checksumOf(request) };
    const arriving = body && ReadableStream.from(observed(body, asking));
    const init = { method: request.method, headers, ...(arriving && { body: arriving, duplex: "half" }) };
    const webRequest = new Request(new URL(request.url, needs.baseUrl()), init as RequestInit);
    const response = await requests.run(asking, () => server.handleWeb(webRequest));
    await asking.writing?.catch((error: unknown) => {
      if (error instanceof ServiceError) asking.refusal = error;
    });
    if (asking.refusal !== undefined && !response.ok) throw asking.refusal;
    return response;
  }

  const url = `${uploadPath}/:token`;
  app.route({ method: "PATCH", url, config: { takesMedia: true }, handler: answer });
  app.route({ method: ["HEAD", "DELETE"], url, handler: answer });
  app.route({
    method: "OPTIONS",
    url,
    handler: async (request, reply) =>
      send(reply.header("tus-checksum-algorithm", "sha1,sha256,md5"), await handle(request)),
  });
  app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
    const { token } = request.params as { token: string };
    reply.headers(forAnyone);
    const file = await inPlace(request, reply, async () => {
      const current = await receiveFiles.find(token);
      await countUploads(current.accountId);
      return current;
    });
    return reply.send(describeFile(file));
  });
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (name !== "content-length") reply.header(name, value);
  const text = await response.text();
  return reply.code(response.status).send(text === "" ? undefined : text);
}

/** Notes why a body ended, because the protocol's server answers every end alike. */
async function* observed(bytes: AsyncIterable<Uint8Array>, asking: UploadRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof ServiceError) asking.refusal ??= error;
    throw error;
  }
}

const algorithms = ["sha1", "sha256", "md5"] as const;

function checksumOf({ headers }: FastifyRequest): Checksum | undefined {
  const header = headers["upload-checksum"]?.toString();
  if (header === undefined) return undefined;
  const [name, digest = ""] = header.split(" ");
  const algorithm = algorithms.find((one) => one === name);
  if (algorithm === undefined || !/^[A-Za-z0-9+/]+=*$/.test(digest))
    throw new ServiceError(
      "invalidRequest",
      `Upload-Checksum must be ${algorithms.join(", ")} and a digest in base64.`,
    );
  return { algorithm, digest: Buffer.from(digest, "base64") };
}
