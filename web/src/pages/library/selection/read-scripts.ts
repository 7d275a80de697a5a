import type { FullScript } from "@reelscript/contract";
import { ApiError } from "../../../api/api-error.ts";
import { call } from "../../../api/call.ts";

/** Reads scripts whole, one after another, because a library may have thousands; waits where the service asks to. */
export async function readScripts(
  ids: readonly string[],
  { onProgress, signal }: { readonly onProgress: (read: number) => void; readonly signal: AbortSignal },
): Promise<readonly FullScript[]> {
  const scripts: FullScript[] = [];
  for (const id of ids) {
    const script = await readScript(id, signal);
    if (script !== undefined) scripts.push(script);
    onProgress(scripts.length);
  }
  return scripts;
}

/** `undefined` when it was deleted meanwhile. */
async function readScript(id: string, signal: AbortSignal): Promise<FullScript | undefined> {
  for (;;)
    try {
      return await call("getScript", { id }, { signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "notFound") return undefined;
      if (error.code !== "rateLimited" || error.retryAfter === undefined) throw error;
      await pause(error.retryAfter, signal);
    }
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
