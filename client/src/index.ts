export type { ErrorCode, ErrorReason } from "@reelscript/contract/values";
export { CallError } from "./call-error.ts";
export type { CallOptions, ClientOptions, TranscribeOptions } from "./core.ts";
export { createClient, type Client } from "./create-client.ts";
export type { BatchOptions, ReelOutcome } from "./follow-batch.ts";
export type { FollowOptions } from "./follow-transcription.ts";
export type { Input, OperationName, Output, Transcription } from "./operation-types.ts";
export type { RetryBounds, Wait } from "./retry.ts";
