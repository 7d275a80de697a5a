import { resultOf, type Transcription } from "@reelscript/client/core";
import type { TranscribeResult } from "@reelscript/contract";
import type { Language } from "@reelscript/contract/values";
import { reelAddress } from "../platform/page-location.ts";
import { connected, serviceAt } from "./call.ts";
import { keepScripts } from "./library.ts";

type Tell = (transcription: Transcription) => void;

/** Transcribes a reel of the platform and reports how it goes. Throws `CallError`. */
export async function transcribe(
  code: string,
  tell: Tell,
  signal: AbortSignal,
  languageHint?: Language,
): Promise<TranscribeResult> {
  const input = { url: reelAddress(code), ...(languageHint && { languageHint }) };
  const result = await connected((connection) => serviceAt(connection).transcribe(input, { onProgress: tell, signal }));
  if (result.scriptId !== undefined) await keepScripts({ [code]: result.scriptId });
  return result;
}

/** Follows what the service has begun. Throws `CallError`. */
export const resultOfBegun = (begun: Transcription, tell: Tell, signal: AbortSignal): Promise<TranscribeResult> =>
  connected(async (connection) => resultOf(await serviceAt(connection).follow(begun.id, { onProgress: tell, signal })));
