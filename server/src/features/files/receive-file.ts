import { createHash, type Hash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Clock, Files, FileWriter, StoredFile } from "../../ports.ts";
import { filePartBytes } from "../../ports/files.ts";
import { refuseContent } from "../../recognition/file-content.ts";
import { errorOf, noSuchFile } from "../../rules/refusals.ts";
import { hashOfSecret } from "../../rules/new-id.ts";
import { megabytes } from "./file-handlers.ts";
import { failureOf, transcribeFile, type TranscribeFileNeeds } from "./transcribe-files.ts";

/** Receives files for the door of uploads. Each method throws `notFound` when there is no upload with the secret. */
export interface ReceiveFiles {
  /** The file of an upload, also after its end. */
  find(token: string): Promise<StoredFile>;
  /** Like `find`, and throws `notFound` when the upload expired or was canceled, and the file's failure. */
  current(token: string): Promise<StoredFile>;
  /**
   * Stores what arrives after the file's last byte, which is at `offset`, and returns the new number of its bytes. What arrived before the stream broke
   * off stays, unless a checksum was announced, which must be that of all: otherwise nothing stays. Throws `invalidRequest` when it isn't media, and
   * `rateLimited` when the account has sent as many bytes in this hour as it may, because bytes that don't stay can be sent any number of times.
   */
  write(token: string, arriving: ArrivingBytes): Promise<number | "wrongChecksum">;
  /** Puts a file of which all bytes are there into the queue. */
  finish(token: string): Promise<void>;
  /** Ends the upload. */
  cancel(token: string): Promise<void>;
}

interface ArrivingBytes {
  readonly offset: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly checksum: Checksum | undefined;
}

export interface Checksum {
  readonly algorithm: "sha1" | "sha256" | "md5";
  readonly digest: Uint8Array;
}

/** Slow uploads are stored at least this often. */
const tailMilliseconds = 20_000;

const hourSpent = (sentBytesPerHour: number, retryAfter: number): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Your account may send ${megabytes(sentBytesPerHour)} of media in an hour, and has sent as much. Continue the upload later.`,
    { reason: "tooManyRequests", retryAfter },
  );

/** A later request continues the file, or it ended meanwhile. */
const replaced = (): ServiceError =>
  new ServiceError("inProgress", "Another request continues this upload.", { retryAfter: 1 });

interface ReceiveFileNeeds extends TranscribeFileNeeds {
  /** Bytes of media that an account may send in an hour. */
  readonly sentBytesPerHour: number;
}

export function createReceiveFiles(needs: ReceiveFileNeeds): ReceiveFiles {
  const { files, clock, sentBytesPerHour } = needs;
  const find = async (token: string): Promise<StoredFile> => {
    const file = await files.findByToken(hashOfSecret(token));
    if (file === undefined) throw noSuchFile();
    return file;
  };
  return {
    find,
    async current(token) {
      const file = await find(token);
      if (file.failure !== null) throw errorOf(file.failure);
      const isOver = file.endedAt !== null || file.expiresAt <= clock.now();
      if (isOver && file.received < file.size) throw noSuchFile();
      return file;
    },
    async write(token, { offset, bytes, checksum }) {
      const file = await find(token);
      // Its last request may be repeated, because the answer was lost.
      if (file.mediaId !== null && offset === file.size) return file.size;
      const hour = await files.sentInHour(file.accountId, clock.now());
      if (hour.bytes >= sentBytesPerHour) throw hourSpent(sentBytesPerHour, hour.secondsLeft);
      const opened = await files.open(file.id, offset, clock.now());
      if (opened === undefined) throw replaced();
      const part = new ArrivingPart(needs, file, opened);
      const hash = checksum && createHash(checksum.algorithm);
      try {
        await part.takeAll(bytes, hash).catch(async (error: unknown) => {
          if (checksum === undefined) await part.keep();
          else await files.rollBack(opened);
          throw error;
        });
        if (hash !== undefined && !hash.digest().equals(checksum!.digest)) {
          await files.rollBack(opened);
          return "wrongChecksum";
        }
        await part.keep();
        return part.received;
      } catch (error) {
        const isContentFault = error instanceof ServiceError && error.status === 422;
        if (isContentFault) await files.end(file.id, failureOf(error), clock.now());
        throw error;
      }
    },
    async finish(token) {
      const file = await files.complete((await find(token)).id, clock.now());
      if (file !== undefined) await transcribeFile(needs, file);
    },
    async cancel(token) {
      const { accountId, id } = await find(token);
      await files.delete(accountId, id, canceled, clock.now());
    },
  };
}

const canceled = failureOf(
  new ServiceError("notFound", "The upload was canceled before the file was transcribed. You weren't charged."),
);

/** The part of a file that is in memory. */
class ArrivingPart {
  readonly #needs: { readonly files: Files; readonly clock: Clock };
  readonly #file: StoredFile;
  #writer: FileWriter;
  #waiting: Uint8Array[];
  #waitingBytes: number;
  #keptBytes: number;
  #keptAt = performance.now();

  constructor(needs: { readonly files: Files; readonly clock: Clock }, file: StoredFile, writer: FileWriter) {
    this.#needs = needs;
    this.#file = file;
    this.#writer = writer;
    this.#waiting = [writer.tail];
    this.#waitingBytes = writer.tail.length;
    this.#keptBytes = writer.tail.length;
  }

  get received(): number {
    return this.#writer.parts * filePartBytes + this.#waitingBytes > this.#file.size
      ? this.#file.size
      : this.#writer.parts * filePartBytes + this.#waitingBytes;
  }

  /** Stores every part but the last one, which ends the file. */
  async takeAll(bytes: AsyncIterable<Uint8Array>, hash: Hash | undefined): Promise<void> {
    for await (const chunk of bytes) {
      hash?.update(chunk);
      for (let from = 0; from < chunk.length;) {
        // A whole part is waiting if it couldn't be stored before.
        if (this.#waitingBytes === filePartBytes) await this.#store();
        const piece = chunk.subarray(from, from + filePartBytes - this.#waitingBytes);
        from += piece.length;
        this.#waiting.push(piece);
        this.#waitingBytes += piece.length;
        if (this.#waitingBytes === filePartBytes && !this.#isLast()) await this.#store();
      }
      if (!this.#isLast() && performance.now() - this.#keptAt >= tailMilliseconds) await this.keep();
    }
  }

  /** Stores what isn't stored: the last part, or the beginning of another one. A file ends with a part, never with a beginning. */
  async keep(): Promise<void> {
    this.#keptAt = performance.now();
    if (this.#isLast()) {
      if (this.#waitingBytes > 0) await this.#store();
      return;
    }
    if (this.#waitingBytes === this.#keptBytes) return;
    const tail = Buffer.concat(this.#waiting);
    const { files, clock } = this.#needs;
    if (!(await files.keepTail(this.#writer, tail, clock.now()))) throw replaced();
    this.#hold(this.#writer, tail);
  }

  async #store(): Promise<void> {
    const part = Buffer.concat(this.#waiting);
    if (this.#writer.parts === 0) refuseContent(part);
    const { files, clock } = this.#needs;
    const next = await files.append(this.#writer, part, clock.now());
    if (next === undefined) throw replaced();
    const isLast = this.#isLast();
    this.#hold(next, new Uint8Array());
    // The last part is shorter, and nothing follows it.
    if (isLast) this.#writer = { ...next, parts: Math.ceil(this.#file.size / filePartBytes) };
  }

  #hold(writer: FileWriter, tail: Uint8Array): void {
    this.#writer = { ...writer, tail };
    this.#waiting = [tail];
    this.#waitingBytes = tail.length;
    this.#keptBytes = tail.length;
    this.#keptAt = performance.now();
  }

  #isLast(): boolean {
    return this.#writer.parts * filePartBytes + this.#waitingBytes >= this.#file.size;
  }
}
