export type { ErrorCode, ErrorReason } from "@reelscript/contract/values";
export { CallError } from "./call-error.ts";
export type { BatchOptions, CallOptions, ClientOptions, ReelOutcome, TranscribeOptions } from "./core.ts";
export { createClient, type Client } from "./create-client.ts";
export type { FollowOptions } from "./follow-transcription.ts";
export type { Input, OperationName, Output, Transcription } from "./operation-types.ts";
export type { RetryBounds, Wait } from "./retry.ts";
