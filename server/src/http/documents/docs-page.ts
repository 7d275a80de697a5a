import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { entityTagOf, sendTagged } from "../entity-tag.ts";

/** The same place from the sources and from what is built. */
const directory = fileURLToPath(new URL("../../../docs-page", import.meta.url));
const require = createRequire(import.meta.url);
/** The whole component in one file, built for browsers. Its package exports a plugin only, which would serve more than we want. */
const component = path.join(path.dirname(require.resolve("@scalar/fastify-api-reference")), "js/standalone.js");

/**
 * Nothing but what this service serves itself, and no script in the page. Styles may appear in the page, because the
 * component writes its own there.
 */
const securityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const font = "font/woff2";
const picture = "image/svg+xml";
/** What a new release hardly changes; the component asks for the picture again and again. */
const lasting: ReadonlySet<string> = new Set([font, picture]);

const files: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/docs": { file: path.join(directory, "page.html"), type: html },
  "/docs/page.js": { file: path.join(directory, "page.js"), type: script },
  "/docs/page.css": { file: path.join(directory, "page.css"), type: "text/css; charset=utf-8" },
  "/docs/mark.svg": { file: path.join(directory, "mark.svg"), type: picture },
  "/docs/sans-latin.woff2": { file: path.join(directory, "fonts/sans-latin.woff2"), type: font },
  "/docs/title-latin.woff2": { file: path.join(directory, "fonts/title-latin.woff2"), type: font },
  "/docs/mono-latin.woff2": { file: path.join(directory, "fonts/mono-latin.woff2"), type: font },
  "/docs/scalar.js": { file: component, type: script },
};

interface Loaded {
  readonly tag: string;
  readonly plain: Buffer;
  readonly zipped: Buffer | undefined;
}

/** The paths of the reference page and of what it loads; all of it comes from this machine. */
export const docsPaths: readonly string[] = Object.keys(files);

/** Sends a file of the page; files are read once, when they are first asked for. */
export function createDocsPage(): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const loaded = new Map<string, Promise<Loaded>>();
  return async (request, reply) => {
    const url = request.routeOptions.url ?? "";
    const { file, type } = files[url]!; // safe: routes are made of the same table
    const loading = loaded.get(url) ?? load(file, type);
    loaded.set(url, loading);
    loading.catch(() => loaded.delete(url));
    const { tag, plain, zipped } = await loading;
    reply.headers({
      "content-type": type,
      "cache-control": lasting.has(type) ? "public, max-age=86400" : "no-cache",
      vary: "accept-encoding",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      ...(type === html && { "content-security-policy": securityPolicy, "cross-origin-opener-policy": "same-origin" }),
    });
    const zips = zipped !== undefined && new Negotiator(request).encoding(["gzip", "identity"]) === "gzip";
    if (zips) reply.header("content-encoding", "gzip");
    return sendTagged(request, reply, { tag, body: zips ? zipped : plain });
  };
}

async function load(file: string, type: string): Promise<Loaded> {
  const plain = await readFile(file);
  return { tag: entityTagOf(plain), plain, zipped: type === font ? undefined : await promisify(gzip)(plain) };
}
