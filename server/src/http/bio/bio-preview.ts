import { bioLimits, ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import { renderProblem } from "../../bio-page/render-bio-page.ts";
import type { PreviewBioPage } from "../../features/bio/preview-bio-page.ts";
import { errorHeaders } from "../../run/error-response.ts";
import type { Account } from "../../ports.ts";
import { queryOf } from "../read-query.ts";
import { readJsonObject } from "../../run/read-input.ts";
import { readBytes } from "../read-body.ts";

const bioPreviewPath = "/app/bio/preview";

interface BioPreviewNeeds {
  readonly preview: PreviewBioPage;
  /** Whose session the request belongs to. Throws when it is nobody's. */
  readonly accountOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Account>;
}

/**
 * What the editor shows in its frame: GET the stored page; POST that page with a draft applied, which is the field `patch` of
 * a form whose target is the frame. With `?in=tab` it is for a tab of its own, and says that nobody else sees it. What is
 * refused is answered with a page, too.
 */
export function serveBioPreview(app: FastifyInstance, { preview, accountOf }: BioPreviewNeeds): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      const { id } = await accountOf(request, reply);
      const patch = request.method === "POST" ? await readDraft(request) : undefined;
      return send(reply, await preview(id, patch, queryOf(request).get("in") === "tab" ? "tab" : "frame"));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return send(reply.code(error.status).headers(errorHeaders(error)), renderProblem(error.message));
    }
  };
  for (const method of ["GET", "POST"] as const) app.route({ method, url: bioPreviewPath, handler: answer });
}

const send = (reply: FastifyReply, { html, headers }: RenderedPage): FastifyReply => reply.headers(headers).send(html);

async function readDraft(request: FastifyRequest): Promise<Record<string, unknown>> {
  // A form writes a byte as up to three.
  const bytes = await readBytes(request.raw, 3 * bioLimits.contentBytes + 1_024);
  const patches = new URLSearchParams(bytes.toString("latin1")).getAll("patch");
  const [patch] = patches;
  if (patch === undefined || patches.length > 1)
    throw new ServiceError("invalidRequest", "The form must have one field, `patch`, with the draft as JSON.");
  const json = Buffer.from(patch);
  if (json.length > bioLimits.contentBytes)
    throw new ServiceError("invalidRequest", `\`patch\` is larger than ${bioLimits.contentBytes} bytes.`, {
      status: 413,
    });
  return readJsonObject(json);
}
