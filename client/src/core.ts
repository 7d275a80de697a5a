/** What makes, sends and reads a request without any schema, for pages that bring their own table of operations. */
export { addressOf, buildRequest } from "./build-request.ts";
export { ConnectionError, RefusedError, UnexpectedAnswer } from "./client-errors.ts";
export { readAnswer } from "./read-answer.ts";
export { sendRequest } from "./send-request.ts";
