import { ServiceError } from "@reelscript/contract";
import type { Failure } from "../../ports.ts";

/** A failure that was kept with a transcription, as its caller meets it. */
export const errorOf = ({ code, status, message, reason, retryAfter }: Failure): ServiceError =>
  new ServiceError(code, message, {
    reason,
    ...(status === 422 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
