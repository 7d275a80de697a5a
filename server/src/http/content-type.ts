import type { IncomingMessage } from "node:http";

const hidden = new WeakMap<IncomingMessage, string>();

/** The framework judges a content type before access and rate limit are looked at; we judge it after them. */
export function hideContentType(request: IncomingMessage): void {
  const type = request.headers["content-type"];
  if (type === undefined) return;
  hidden.set(request, type);
  delete request.headers["content-type"];
}

export function showContentType(request: IncomingMessage): void {
  const type = hidden.get(request);
  if (type !== undefined) request.headers["content-type"] = type;
}

export const contentTypeOf = (request: IncomingMessage): string => hidden.get(request) ?? "";

/** True for JSON and for types written in JSON (RFC 6839), such as that of RFC 7396. */
export const isJson = (request: IncomingMessage): boolean =>
  /^application\/(?:[\w!#$&^.+-]{1,120}\+)?json\s*(?:;|$)/i.test(contentTypeOf(request));
