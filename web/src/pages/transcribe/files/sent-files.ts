import { CallError } from "@reelscript/client/core";
import type { VideoStyleName } from "@reelscript/contract/subtitles";
import type { Upload } from "tus-js-client";
import { call, refresh } from "../../../api/call.ts";
import { createStore } from "../../../api/create-store.ts";
import { showToast } from "../../../components/toast.tsx";

export interface SentFile {
  readonly number: number;
  readonly name: string;
  readonly bytes: number;
  /** Known once the service has checked it. */
  readonly id?: string;
  /** The most transcriptions that it uses. */
  readonly most?: number;
  readonly sentBytes: number;
  /** Its batch shows it once it has arrived. */
  readonly isInBatch?: true;
  readonly state: SendState;
}

type SendState =
  /** `next`: it is sent when one before it has arrived. */
  | { readonly kind: "checking" | "next" | "sending" | "paused" | "arrived" }
  /** The connection broke off; it continues by itself. */
  | { readonly kind: "waiting" }
  | { readonly kind: "refused"; readonly message: string };

interface SendOptions {
  /** By default as long as the service says. */
  readonly keepDays?: number;
  readonly languageHint?: string;
  readonly translate?: "en";
  readonly videoStyle?: VideoStyleName;
}

/** Files that are sent at a time; the others don't slow them. */
const sentAtATime = 3;

const store = createStore<readonly SentFile[]>([]);
const uploads = new Map<number, Upload>();
let last = 0;

/** A file of hours is sent for long, so the pauses become longer, but it never gives up by itself. */
const retryMilliseconds = [0, 1_000, 3_000, 5_000, 10_000, 20_000, ...Array.from({ length: 200 }, () => 30_000)];

export const useSentFiles = store.useValue;

const change = (number: number, changed: Partial<SentFile>): void =>
  store.set(store.current().map((file) => (file.number === number ? { ...file, ...changed } : file)));

interface AddedFile {
  readonly number: number;
  readonly file: File;
}

/** Sends files, several as one batch; they belong to the account once they have arrived, and need this page no more. */
export function addFiles(files: readonly File[], options: SendOptions): void {
  const added = files.map((file): AddedFile => ({ number: (last += 1), file }));
  const cards = added.map(({ number, file }): SentFile => ({
    number,
    name: file.name,
    bytes: file.size,
    sentBytes: 0,
    state: { kind: "checking" },
  }));
  store.set([...cards.toReversed(), ...store.current()]);
  void sendAll(added, options);
}

async function sendAll(added: readonly AddedFile[], options: SendOptions): Promise<void> {
  const ids = new Map<number, string>();
  for (const { number, file } of added) {
    // oxlint-disable-next-line no-await-in-loop -- the batch has the order in which they were chosen
    const id = await create(number, file, options);
    if (id !== undefined) ids.set(number, id);
  }
  if (ids.size > 1) await sendBatch(ids);
  startNext();
}

/** Without their batch the files are transcribed anyway. */
async function sendBatch(ids: ReadonlyMap<number, string>): Promise<void> {
  try {
    await call("createBatch", { files: [...ids.values()] });
    for (const number of ids.keys()) change(number, { isInBatch: true });
    await refresh("listBatches");
  } catch (error) {
    const text = error instanceof CallError ? error.message : "We couldn’t put these files into one batch.";
    showToast(text, { failed: true });
  }
}

/** Begins an upload; undefined if it is refused, or was taken away meanwhile. */
async function create(number: number, file: File, options: SendOptions): Promise<string | undefined> {
  try {
    const [{ Upload: FileUpload }, created] = await Promise.all([
      import("tus-js-client"),
      call("createFile", { name: file.name.slice(-255) || "file", bytes: Math.max(1, file.size), ...options }),
    ]);
    if (store.current().every((one) => one.number !== number)) {
      void call("deleteFile", { id: created.id }).catch(() => undefined);
      return undefined;
    }
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
        end(number, { sentBytes: file.size, state: { kind: "arrived" } });
        store.set(store.current().filter((one) => one.number !== number || !one.isInBatch));
        void refresh("getUsage");
      },
      onError: (error) => {
        const body = "originalResponse" in error ? error.originalResponse?.getBody() : undefined;
        end(number, { state: { kind: "refused", message: messageIn(body) } });
      },
    });
    uploads.set(number, upload);
    change(number, { id: created.id, most: created.mostTranscriptions, state: { kind: "next" } });
    return created.id;
  } catch (error) {
    const message = error instanceof CallError ? error.message : "We couldn’t read this file.";
    change(number, { state: { kind: "refused", message } });
    return undefined;
  }
}

function end(number: number, changed: Partial<SentFile>): void {
  change(number, changed);
  uploads.delete(number);
  startNext();
}

/** Sends the first of those that wait for others, as long as few are sent. */
function startNext(): void {
  const files = store.current().toReversed();
  const busy = files.filter(({ state }) => state.kind === "sending" || state.kind === "waiting").length;
  const next = files.filter(({ state }) => state.kind === "next").slice(0, Math.max(0, sentAtATime - busy));
  for (const { number } of next) {
    change(number, { state: { kind: "sending" } });
    uploads.get(number)?.start();
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
  startNext();
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
  startNext();
}
