import type { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import type { ServiceError } from "@reelscript/contract";
import { DataStore, Upload } from "@tus/server";
import type { Checksum, ReceiveFiles } from "../../features/files/receive-file.ts";

/** The request that the protocol's server is answering. */
export interface UploadRequest {
  readonly checksum: Checksum | undefined;
  /** Why it is refused. */
  refusal?: ServiceError;
  /** The library ends with a stream, before this has ended. */
  writing?: Promise<unknown>;
}

export class WrongChecksum extends Error {
  override readonly name = "WrongChecksum";

  constructor() {
    super("The checksum isn't that of the body. Send it again.");
  }
}

/** The store behind the protocol's server. The id of an upload is the secret in its address. */
export class UploadStore extends DataStore {
  readonly #receiveFiles: ReceiveFiles;
  readonly #requests: AsyncLocalStorage<UploadRequest>;
  /** The writing of the latest request of this process, by upload. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(receiveFiles: ReceiveFiles, requests: AsyncLocalStorage<UploadRequest>) {
    super();
    this.#receiveFiles = receiveFiles;
    this.#requests = requests;
    this.extensions = ["checksum", "expiration", "termination"];
  }

  override async getUpload(token: string): Promise<Upload> {
    // A request stores the rest of its bytes after its stream broke off.
    await this.#writing.get(token)?.catch(() => undefined);
    const { size, received, createdAt } = await this.#receiveFiles.current(token);
    return new Upload({ id: token, size, offset: received, creation_date: createdAt.toISOString() });
  }

  override async write(stream: Readable, token: string, offset: number): Promise<number> {
    const request = this.#requests.getStore();
    const bytes = stream as AsyncIterable<Uint8Array>;
    const writing = this.#receiveFiles.write(token, { offset, bytes, checksum: request?.checksum });
    this.#writing.set(token, writing);
    if (request !== undefined) request.writing = writing;
    try {
      const received = await writing;
      if (received === "wrongChecksum") throw new WrongChecksum();
      return received;
    } finally {
      if (this.#writing.get(token) === writing) this.#writing.delete(token);
    }
  }

  override remove(token: string): Promise<void> {
    return this.#receiveFiles.cancel(token);
  }
}
