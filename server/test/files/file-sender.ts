import { readFile } from "node:fs/promises";
import path from "node:path";
import type { OwnFile } from "@reelscript/contract";
import { expect } from "vitest";
import { root } from "../harness/start-program.ts";
import { rest, type Answer } from "../harness/rest.ts";
import type { TestService } from "../harness/start-test-service.ts";

/** Bytes of each stored part. */
export const partBytes = 1_048_576;

const protocol = { "tus-resumable": "1.0.0" };

/** A real video in which somebody speaks English, made as long as needed by a box of other bytes that players skip. */
export async function aVideo(bytes = 0, mark = "a"): Promise<Buffer> {
  const video = await readFile(path.join(root, "platform-standin/reels/en-one-second.mp4"));
  const padding = Buffer.alloc(Math.max(16, bytes - video.length), mark);
  padding.writeUInt32BE(padding.length, 0);
  padding.write("free", 4, "latin1");
  return Buffer.concat([video, padding]);
}

export interface FileSender {
  readonly key: string;
  readonly accountId: string;
  readonly create: (bytes: number, input?: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly get: (id: string) => Promise<OwnFile>;
  /** Waits until the file has ended. */
  readonly ended: (id: string) => Promise<OwnFile>;
  /** Creates an upload and sends the bytes in one request. */
  readonly send: (bytes: Buffer, input?: Readonly<Record<string, unknown>>) => Promise<SentUpload>;
  readonly used: () => Promise<number>;
}

interface SentUpload {
  readonly id: string;
  readonly url: string;
  readonly response: Response;
}

export const askUpload = (url: string, method: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method, headers: { ...protocol, ...headers } });

export const patch = (
  url: string,
  offset: number,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method: "PATCH",
    headers: {
      ...protocol,
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
      ...headers,
    },
    body: body as Uint8Array<ArrayBuffer>,
  });

/** Bytes that are stored, as a client learns it before it continues. */
export async function offsetOf(url: string): Promise<number> {
  const response = await askUpload(url, "HEAD");
  expect(response.status).toBe(200);
  return Number(response.headers.get("upload-offset"));
}

/** A program of a new account that sends files. */
export async function aFileSender(service: TestService, plan: "free" | "hobby" = "hobby"): Promise<FileSender> {
  const { key, accountId } = await service.createCaller({ plan });
  const sender: FileSender = {
    key,
    accountId,
    create: (bytes, input) => rest(service.url, "/files", { key, body: { name: "draft.mp4", bytes, ...input } }),
    get: async (id) => (await rest(service.url, `/files/${id}`, { key })).body,
    async ended(id) {
      await expect.poll(async () => (await sender.get(id)).status, { timeout: 30_000 }).toMatch(/done|failed|canceled/);
      return sender.get(id);
    },
    async send(bytes, input) {
      const { status, body } = await sender.create(bytes.length, input);
      expect(status, JSON.stringify(body)).toBe(200);
      return { id: body.id, url: body.uploadUrl, response: await patch(body.uploadUrl, 0, bytes) };
    },
    used: async () => (await rest(service.url, "/usage", { key })).body.transcriptions.used,
  };
  return sender;
}
