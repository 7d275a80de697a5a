export { ConnectionError, RefusedError, UnexpectedAnswer } from "./client-errors.ts";
export {
  createClient,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Input,
  type Output,
} from "./create-client.ts";
export type { RetryBounds, Wait } from "./retry.ts";
