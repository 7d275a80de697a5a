import { CallError } from "@reelscript/client/core";
import type { Upload } from "tus-js-client";
import { call, refresh } from "../../../api/call.ts";
import { createStore } from "../../../api/create-store.ts";

export interface SentFile {
  readonly number: number;
  readonly name: string;
  readonly bytes: number;
  /** Known once the service has checked it. */
  readonly id?: string;
  /** The most transcriptions that it uses. */
  readonly most?: number;
  readonly sentBytes: number;
  readonly state: SendState;
}

type SendState =
  | { readonly kind: "checking" | "sending" | "paused" | "arrived" }
  /** The connection broke off; it continues by itself. */
  | { readonly kind: "waiting" }
  | { readonly kind: "refused"; readonly message: string };

interface SendOptions {
  readonly keepDays: number;
  readonly languageHint?: string;
  readonly translate?: "en";
}

const store = createStore<readonly SentFile[]>([]);
const uploads = new Map<number, Upload>();
let last = 0;

/** A file of hours is sent for long, so the pauses become longer, but it never gives up by itself. */
const retryMilliseconds = [0, 1_000, 3_000, 5_000, 10_000, 20_000, ...Array.from({ length: 200 }, () => 30_000)];

export const useSentFiles = store.useValue;

const change = (number: number, changed: Partial<SentFile>): void =>
  store.set(store.current().map((file) => (file.number === number ? { ...file, ...changed } : file)));

/** Sends files, one request for each; they belong to the account once they have arrived, and need this page no more. */
export function addFiles(files: readonly File[], options: SendOptions): void {
  for (const file of files) {
    const number = (last += 1);
    store.set([
      { number, name: file.name, bytes: file.size, sentBytes: 0, state: { kind: "checking" } },
      ...store.current(),
    ]);
    void send(number, file, options);
  }
}

async function send(number: number, file: File, options: SendOptions): Promise<void> {
  try {
    const [{ Upload: FileUpload }, created] = await Promise.all([
      import("tus-js-client"),
      call("createFile", { name: file.name.slice(-255) || "file", bytes: Math.max(1, file.size), ...options }),
    ]);
    if (store.current().every((one) => one.number !== number)) return;
    change(number, { id: created.id, most: created.mostTranscriptions, state: { kind: "sending" } });
    const upload = new FileUpload(file, {
      // The service may be known by several names.
      uploadUrl: new URL(new URL(created.uploadUrl ?? "").pathname, location.origin).href,
      retryDelays: retryMilliseconds,
      storeFingerprintForResuming: false,
      onProgress: (sentBytes) => change(number, { sentBytes, state: { kind: "sending" } }),
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0;
        const isPassing = status === 0 || status === 409 || status === 429 || status >= 500;
        if (isPassing) change(number, { state: { kind: "waiting" } });
        return isPassing;
      },
      onSuccess: () => {
        change(number, { sentBytes: file.size, state: { kind: "arrived" } });
        uploads.delete(number);
        void refresh("getUsage");
      },
      onError: (error) => {
        const body = "originalResponse" in error ? error.originalResponse?.getBody() : undefined;
        change(number, { state: { kind: "refused", message: messageIn(body) } });
        uploads.delete(number);
      },
    });
    uploads.set(number, upload);
    upload.start();
  } catch (error) {
    const message = error instanceof CallError ? error.message : "We couldn’t read this file.";
    change(number, { state: { kind: "refused", message } });
  }
}

function messageIn(body: string | undefined): string {
  try {
    const { error } = JSON.parse(body ?? "") as { readonly error: { readonly message: string } };
    return error.message;
  } catch {
    return "The upload ended. Add the file again.";
  }
}

export function pauseFile(number: number): void {
  void uploads.get(number)?.abort();
  change(number, { state: { kind: "paused" } });
}

export function resumeFile(number: number): void {
  change(number, { state: { kind: "sending" } });
  uploads.get(number)?.start();
}

/** Ends the upload if it isn't there yet, and takes the card away. */
export function removeFile(number: number): void {
  const file = store.current().find((one) => one.number === number);
  void uploads.get(number)?.abort();
  uploads.delete(number);
  store.set(store.current().filter((one) => one.number !== number));
  if (file?.id !== undefined && file.state.kind !== "arrived" && file.state.kind !== "refused")
    void call("deleteFile", { id: file.id }).catch(() => undefined);
}
