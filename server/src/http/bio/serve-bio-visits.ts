import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../rules/caller.ts";
import { networkOf } from "../../callers/authenticate.ts";
import type { FollowBioLink } from "../../features/bio/follow-bio-link.ts";
import type { CountBioVisits } from "../../features/bio/visits/count-bio-visits.ts";
import type { BioPages } from "../../ports.ts";

export interface BioVisitNeeds {
  readonly bioPages: BioPages;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly followBioLink: FollowBioLink;
  readonly noteBioVisit: CountBioVisits["note"];
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** The header in which the operator's proxy names the visitor's country, in small letters. */
  readonly countryHeader?: string | undefined;
}

/** One transparent pixel. */
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const pixelHeaders = {
  "content-type": "image/gif",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex",
};

/**
 * `/v/<page id>`, a picture by which a page in any cache counts its views, and `/l/<link id>`, which leads to a link's stored
 * address and nowhere else. Visits are counted after the fact: counting can fail, and visitors notice nothing.
 */
export function serveBioVisits(app: FastifyInstance, needs: BioVisitNeeds): void {
  let address = { baseUrl: "", host: "" };
  const hostOf = (baseUrl: string): string => {
    if (address.baseUrl !== baseUrl) address = { baseUrl, host: new URL(baseUrl).host };
    return address.host;
  };
  const note = async (request: FastifyRequest, reply: FastifyReply, bioId: string, linkId: string | null) => {
    const { method, headers } = request;
    const owner = headers.cookie !== undefined && (await isOwner(needs, request, reply, bioId));
    needs.noteBioVisit({
      bioId,
      linkId,
      method,
      headers,
      from: linkId === null ? fromOf(request) : undefined,
      network: networkOf(request.ip),
      host: hostOf(needs.baseUrl()),
      owner,
      country: countryOf(request, needs.countryHeader),
    });
  };
  app.get("/v/:bioId", async (request, reply) => {
    const { bioId = "" } = request.params as { bioId?: string };
    if (/^bio_[0-9A-Za-z]{1,40}$/.test(bioId)) await note(request, reply, bioId, null);
    return reply.headers(pixelHeaders).send(pixel);
  });
  app.get("/l/:linkId", async (request, reply) => {
    const { linkId = "" } = request.params as { linkId?: string };
    const { bioId, url } = await needs.followBioLink(linkId);
    await note(request, reply, bioId, linkId);
    // An address without a fragment would be given the one that the visitor's browser has on ours.
    const target = url.includes("#") ? url : `${url}#`;
    return reply.headers({ "x-robots-tag": "noindex", "referrer-policy": "strict-origin" }).redirect(target, 302);
  });
}

/** The source that the page's script appends to the address of its picture. */
function fromOf({ query }: FastifyRequest): string | undefined {
  const { from } = query as { readonly from?: unknown };
  return typeof from === "string" ? from.slice(0, 300) : undefined;
}

/** A session that cannot be read counts as a stranger's, so that nobody waits for an error. */
async function isOwner(
  { authenticatePerson, bioPages }: BioVisitNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  bioId: string,
): Promise<boolean> {
  try {
    const caller = await authenticatePerson(request, reply);
    return caller.kind === "session" && (await bioPages.read(caller.account.id)).id === bioId;
  } catch {
    return false;
  }
}

/** Two capital letters. Only a proxy that we trust is believed; XX and T1 say that it does not know. */
function countryOf({ ips, headers }: FastifyRequest, name: string | undefined): string | null {
  const isOfProxy = ips !== undefined && ips.length > 1;
  const value = name === undefined || !isOfProxy ? undefined : headers[name];
  return typeof value === "string" && /^[A-Z]{2}$/.test(value) && value !== "XX" ? value : null;
}
