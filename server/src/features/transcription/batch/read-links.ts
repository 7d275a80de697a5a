import { createHash } from "node:crypto";
import { readAddress, ServiceError, supportedLanguage } from "@reelscript/contract";
import type { Failure, Files, NewBatchLink, ReelLocator, StoredFile } from "../../../ports.ts";

export interface ReadLinks {
  /** Each reel and each share link once, in the order in which they were sent. */
  readonly links: readonly NewBatchLink[];
  readonly duplicates: number;
}

/** Reads the links of a batch without asking any platform. */
export async function readLinks(
  urls: readonly string[],
  locator: ReelLocator,
  signal: AbortSignal,
): Promise<ReadLinks> {
  const links = new Map<string, NewBatchLink>();
  for (const url of urls) {
    const link = await readLink(url, locator, signal);
    const name =
      link.reel === null ? JSON.stringify([url.trim()]) : JSON.stringify([link.reel.platform, link.reel.mediaId]);
    if (!links.has(name)) links.set(name, link);
  }
  return { links: [...links.values()], duplicates: urls.length - links.size };
}

async function readLink(url: string, locator: ReelLocator, signal: AbortSignal): Promise<NewBatchLink> {
  const reel = locator.read(url);
  if (reel !== undefined) return { url, reel, failure: null, fileId: null };
  if (readAddress(url)?.link.kind === "share") return { url, reel: null, failure: null, fileId: null };
  try {
    // Only share links are asked for, so this says at once what is wrong.
    return { url, reel: await locator.locate(url, signal), failure: null, fileId: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { url, reel: null, failure: failureOf(error), fileId: null };
  }
}

/** Each file once, as a link of a batch. */
export const linksOfFiles = (ids: readonly string[]): readonly NewBatchLink[] =>
  [...new Set(ids)].map((id) => ({ url: id, reel: null, failure: null, fileId: id }));

/** The account's files with these ids, each once. Throws `notFound` if it doesn't have one of them. */
export async function readFiles(
  files: Pick<Files, "findSome">,
  accountId: string,
  ids: readonly string[],
): Promise<readonly StoredFile[]> {
  const different = [...new Set(ids)];
  const ownFiles = new Map((await files.findSome(accountId, different)).map((file) => [file.id, file]));
  return different.map((id) => {
    const file = ownFiles.get(id);
    if (file === undefined) throw new ServiceError("notFound", `You have no file with the id ${id}.`);
    return file;
  });
}

/** The language of a hint; `null` without one. */
export const hintOf = (languageHint: string | undefined): string | null =>
  languageHint === undefined ? null : (supportedLanguage(languageHint) ?? null);

/** Identifies links together with their hint. The same links in another order are the same batch. */
export function fingerprintOf(links: readonly NewBatchLink[], languageHint: string | undefined): Uint8Array {
  const names = links.map(({ url, reel }) => reel?.url ?? url.trim()).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([hintOf(languageHint), names]))
    .digest();
}

/** The part of an error that is kept with a link. */
export const failureOf = ({ code, status, message, reason, retryAfter }: ServiceError): Failure => ({
  code,
  status,
  message,
  ...(reason !== undefined && { reason }),
  ...(retryAfter !== undefined && { retryAfter }),
});
