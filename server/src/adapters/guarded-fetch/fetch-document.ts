import type { FetchDocument } from "../../ports.ts";
import { guardedRequest, type Reach, readBytes } from "./guarded-fetch.ts";

const mostBytes = 5 * 1_024;
const longestMilliseconds = 5_000;
const headers = { "user-agent": "Reelscript/1.0", accept: "application/json" };

/** Follows no redirect. */
export const createFetchDocument =
  (reach: Omit<Reach, "silenceSeconds"> = { origins: ["https://*"], mayBePrivate: false }): FetchDocument =>
  async (url, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestMilliseconds)]);
    const answer = await guardedRequest(url, { method: "GET", headers }, { ...reach, silenceSeconds: 3 }, bounded);
    const bytes = await readBytes(answer, mostBytes, bounded);
    return { status: answer.status, cacheControl: answer.headers["cache-control"], bytes };
  };
