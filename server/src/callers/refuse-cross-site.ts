import { ServiceError } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";

/**
 * Refuses requests that another site made with a person's cookie. Browsers say where a request comes from; one that says
 * nothing of the kind and changes something must name our own origin. A form changes something only where `mayBeForm`: being
 * of our own origin doesn't say that a person saw it.
 */
export function refuseCrossSite(
  request: FastifyRequest,
  baseUrl: string,
  { mayBeForm = false }: { readonly mayBeForm?: boolean } = {},
): void {
  const { origin, accept = "", "sec-fetch-site": site, "sec-fetch-mode": mode } = request.headers;
  const safe = request.method === "GET" || request.method === "HEAD";
  const foreign = origin !== undefined && origin !== new URL(baseUrl).origin;
  const elsewhere = site !== undefined && site !== "same-origin" && !(safe && site === "none");
  const unknown = !safe && origin === undefined && site === undefined;
  const unseen = !safe && !mayBeForm && (mode === "navigate" || accept.includes("text/html"));
  if (foreign || elsewhere || unknown || unseen)
    throw new ServiceError(
      "invalidRequest",
      "This request came from another site and was refused. Use the dashboard itself.",
      { reason: "crossSite" },
    );
}
