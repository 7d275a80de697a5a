import type { ErrorCode } from "@reelscript/contract/values";
import { RefusedError } from "./client-errors.ts";
import type { Call, CallOptions, Follow } from "./create-client.ts";
import type { FollowOptions } from "./follow-transcription.ts";
import type { Input, Output } from "./operation-types.ts";

export interface Transcriber {
  readonly call: Call;
  readonly follow: Follow;
}

/** Asks for a transcription without waiting, then follows it. Throws `RefusedError` when it fails. */
export async function transcribeAndFollow(
  { call, follow }: Transcriber,
  input: Input<"transcribeReel">,
  options: FollowOptions & CallOptions & { readonly patient?: boolean },
): Promise<Output<"transcribeReel">> {
  const answer = await call("transcribeReel", input, { ...options, respondAsync: true });
  if (!("status" in answer)) return answer;
  options.onProgress?.(answer);
  const { result, error } = await follow({ id: answer.id }, options);
  if (result !== undefined) return result;
  const code: ErrorCode = error?.code ?? "internalError";
  throw new RefusedError(code, error?.message ?? "The transcription ended without a result.", {
    reason: error?.reason,
  });
}
