export {
  errors,
  ServiceError,
  type ErrorCode,
  type ErrorReason,
  type InvalidRequestStatus,
} from "@reelscript/contract/values";
export { ConnectionError, RefusedError, UnexpectedAnswer } from "./client-errors.ts";
export { createClient, type CallOptions, type Client, type ClientOptions } from "./create-client.ts";
export type { FollowOptions } from "./follow-transcription.ts";
export type { Input, OperationName, Output, Transcription } from "./operation-types.ts";
export type { RetryBounds, Wait } from "./retry.ts";
export type { BatchOptions, ReelOutcome } from "./transcribe-reels.ts";
