import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createCompressed, encodingOf } from "../compressed.ts";
import { entityTagOf, sendTagged } from "../send-answer.ts";
import { publicPageHeadersOf, seemsSignedIn } from "../public-pages/public-document.ts";
import { openApi } from "./openapi.ts";
import type { DescribedDocument } from "./reference/described-document.ts";
import { referencePage } from "./reference/reference-page.ts";
import { referenceStyle } from "./reference/reference-style.ts";

/** The same place from the sources and from what is built. */
const directory = fileURLToPath(new URL("../../../docs-page", import.meta.url));

const files: Readonly<Record<string, string>> = {
  "/docs/sans-latin.woff2": path.join(directory, "fonts/sans-latin.woff2"),
  "/docs/title-latin.woff2": path.join(directory, "fonts/title-latin.woff2"),
  "/docs/mono-latin.woff2": path.join(directory, "fonts/mono-latin.woff2"),
  "/docs/reference.js": path.join(directory, "reference.js"),
};
const types: Readonly<Record<string, string>> = { ".woff2": "font/woff2", ".js": "text/javascript; charset=utf-8" };

/** The script of the reference page, and its typefaces, which other pages have too. */
export const docsFilePaths: readonly string[] = Object.keys(files);

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers the reference, which is made when it is first asked for; the address is known only after listening. */
export function createDocsPage(baseUrl: () => string, webhooksGuide: string): Send {
  const headers = publicPageHeadersOf(referenceStyle, { "script-src": "'self'" });
  const compressed = createCompressed();
  const made = new Map<boolean, { readonly html: string; readonly tag: string }>();
  const make = (isSignedIn: boolean) => {
    // Safe: the document is what these types describe.
    const html = referencePage(openApi(baseUrl()) as unknown as DescribedDocument, isSignedIn, webhooksGuide);
    const page = { html, tag: entityTagOf(html) };
    made.set(isSignedIn, page);
    return page;
  };
  return async (request, reply) => {
    const isSignedIn = seemsSignedIn(request.headers.cookie);
    const page = made.get(isSignedIn) ?? make(isSignedIn);
    const encoding = encodingOf(request);
    reply.headers({ ...headers, "cache-control": "no-cache", vary: "accept-encoding, cookie" });
    if (encoding !== undefined) reply.header("content-encoding", encoding);
    const body = encoding === undefined ? page.html : () => compressed(page, encoding);
    return sendTagged(request, reply, { tag: page.tag, body });
  };
}

/** Sends a file of the page; files are read once, when they are first asked for. */
export function createDocsFiles(): Send {
  const loaded = new Map<string, Promise<Buffer>>();
  return async (request, reply) => {
    const url = request.routeOptions.url ?? "";
    const loading = loaded.get(url) ?? readFile(files[url]!); // safe: routes are made of the same table
    loaded.set(url, loading);
    loading.catch(() => loaded.delete(url));
    const body = await loading;
    reply.headers({
      "content-type": types[path.extname(url)],
      "cache-control": url.endsWith(".js") ? "no-cache" : "public, max-age=86400",
      "cross-origin-resource-policy": "same-origin",
    });
    return sendTagged(request, reply, { tag: entityTagOf(body), body });
  };
}

/** Answers the OpenAPI document, which is made when it is first asked for; the address is known only after listening. */
export function createOpenApiPage(baseUrl: () => string): Send {
  let made: { readonly body: string; readonly tag: string } | undefined;
  const make = () => {
    const body = JSON.stringify(openApi(baseUrl()));
    return { body, tag: entityTagOf(body) };
  };
  return async (request, reply) => {
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache");
    return sendTagged(request, reply, (made ??= make()));
  };
}
