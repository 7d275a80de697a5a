import { ServiceError } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";

/**
 * Refuses requests with a person's cookie that come from another site. Browsers state where a request comes from; a change from
 * a client that doesn't must name our own origin. A form may change something only where `mayBeForm` is set: our own origin
 * doesn't prove that a person saw it.
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
