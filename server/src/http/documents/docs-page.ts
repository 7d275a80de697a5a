import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createSendDocument, entityTagOf, sendTagged } from "../send-answer.ts";
import { publicPageHeadersOf, seemsSignedIn } from "../public-pages/public-document.ts";
import { openApi } from "./openapi.ts";
import type { DescribedDocument } from "./reference/described-document.ts";
import { referencePage } from "./reference/reference-page.ts";
import { referenceStyle } from "./reference/reference-style.ts";

/** This path works from the sources and from the build. */
const directory = fileURLToPath(new URL("../../../docs-page", import.meta.url));
/** The home page's. */
const pictures = [
  ...["search", "report"].flatMap((name) =>
    ["", "-dark", "-phone", "-phone-dark"].map((kind) => `${name}${kind}.webp`),
  ),
  "bio-page.webp",
  "bio-page-phone.webp",
];
const fonts = ["sans-latin.woff2", "title-latin.woff2", "mono-latin.woff2"];

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves the reference. It is built at the first request; the address is known only after listening. */
export function createDocsPage(baseUrl: () => string, webhooksGuide: string): Send {
  const headers = publicPageHeadersOf(referenceStyle, { "script-src": "'self'" });
  const sendDocument = createSendDocument();
  const pages = new Map<boolean, { readonly html: string }>();
  const make = (isSignedIn: boolean) => {
    // Safe: the document is what these types describe.
    const html = referencePage(openApi(baseUrl()) as unknown as DescribedDocument, isSignedIn, webhooksGuide);
    const page = { html };
    pages.set(isSignedIn, page);
    return page;
  };
  return async (request, reply) => {
    const isSignedIn = seemsSignedIn(request.headers.cookie);
    reply.headers({ ...headers, "cache-control": "no-cache", vary: "accept-encoding, cookie" });
    return sendDocument(request, reply, pages.get(isSignedIn) ?? make(isSignedIn));
  };
}

/** The scripts of the reference and of shared scripts, and the typefaces of all public pages. */
export function serveDocsFiles(app: FastifyInstance): void {
  const serve = (name: string, file: string, headers: Readonly<Record<string, string>>): void => {
    let storedFile: { readonly body: Buffer; readonly tag: string } | undefined;
    const read = async () => {
      if (storedFile !== undefined) return storedFile;
      const body = await readFile(path.join(directory, file));
      return (storedFile = { tag: entityTagOf(body), body });
    };
    app.get(`/docs/${name}`, async (request, reply) => {
      reply.headers({ ...headers, "cross-origin-resource-policy": "same-origin" });
      return sendTagged(request, reply, await read());
    });
  };
  for (const font of fonts)
    serve(font, `fonts/${font}`, { "content-type": "font/woff2", "cache-control": "public, max-age=86400" });
  for (const picture of pictures)
    serve(picture, `pictures/${picture}`, { "content-type": "image/webp", "cache-control": "public, max-age=86400" });
  for (const script of ["reference.js", "shared-script.js"])
    serve(script, script, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" });
}

/** Serves the OpenAPI document. It is built at the first request; the address is known only after listening. */
export function createOpenApiPage(baseUrl: () => string): Send {
  const sendDocument = createSendDocument();
  let document: { readonly html: string } | undefined;
  return async (request, reply) => {
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache");
    return sendDocument(request, reply, (document ??= { html: JSON.stringify(openApi(baseUrl())) }));
  };
}
