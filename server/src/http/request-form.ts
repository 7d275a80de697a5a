import type { IncomingMessage } from "node:http";
import { ServiceError } from "@reelscript/contract";

const absoluteForm = /^https?:\/\/([^/?#]+)(.*)$/is;

/**
 * The target of a request as a path: one in absolute form (RFC 9112, 3.2.2) loses its authority, which takes the place of
 * the Host header, so that nothing behind the door meets a second way to write an address, and whoever judges a host judges
 * the one that was asked for.
 */
export function pathOfTarget({ url = "/", headers, httpVersion }: IncomingMessage): string {
  const [, authority, path = ""] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return url;
  // HTTP/1.1 needs the header in any case, and is refused without it.
  if (headers.host !== undefined || httpVersion === "1.0") headers.host = authority;
  return path.startsWith("/") ? path : `/${path}`;
}

/** Throws `invalidRequest` for a request whose target, host or encoding no door takes. */
export function refuseForm({ url = "/", headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new ServiceError("invalidRequest", "The Host header is missing.");
  // A user name before the host could pass for the host.
  if (headers.host?.includes("@")) throw new ServiceError("invalidRequest", "The host must not have a user name.");
  if (!url.startsWith("/"))
    throw new ServiceError("invalidRequest", "The request target must be a path, or an address with http or https.");
  const encoding = encodingOfBody(headers);
  if (encoding !== undefined)
    throw new ServiceError(
      "invalidRequest",
      `The body is encoded as ${encoding.slice(0, longestShown)}, which isn't supported. Send it as it is.`,
      { status: 415 },
    );
}

const longestShown = 60;
const plain: ReadonlySet<string> = new Set(["", "identity", "chunked"]);

/** The encoding of a body, by either header; `undefined` when it isn't encoded, or there is none. */
function encodingOfBody(headers: IncomingMessage["headers"]): string | undefined {
  const { "content-length": length, "transfer-encoding": transfer, "content-encoding": content } = headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  return `${content ?? ""},${transfer ?? ""}`
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .find((one) => !plain.has(one));
}

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
