import { bioLimits, ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import { renderProblem } from "../../bio-page/render-bio-page.ts";
import type { PreviewBioPage } from "../../features/bio/preview-bio-page.ts";
import { errorHeaders } from "../../run/error-response.ts";
import type { WhileWaiting } from "../../run/admission.ts";
import type { Account } from "../../ports.ts";
import { queryOf, readBytes } from "../read-request.ts";
import { readJsonObject } from "../../run/schemas.ts";

const bioPreviewPath = "/app/bio/preview";

/** Does work for whose session the request belongs to, as a call of that person. Throws when it is nobody's. */
export type ForOwner = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (account: Account, whileWaiting: WhileWaiting) => Promise<Result>,
) => Promise<Result>;

interface BioPreviewNeeds {
  readonly preview: PreviewBioPage;
  readonly forOwner: ForOwner;
}

/**
 * The frame of the editor. GET shows the stored page; POST shows that page with a draft applied, which is the field `patch`
 * of a form whose target is the frame. With `?in=tab` the page is for a tab of its own, and says that nobody else sees it.
 * Errors are answered with a page, too.
 */
export function serveBioPreview(app: FastifyInstance, { preview, forOwner }: BioPreviewNeeds): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      const page = await forOwner(request, reply, async ({ id }, whileWaiting) => {
        const patch = request.method === "POST" ? await whileWaiting(() => readDraft(request)) : undefined;
        return preview(id, patch, queryOf(request).get("in") === "tab" ? "tab" : "frame");
      });
      return send(reply, page);
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
