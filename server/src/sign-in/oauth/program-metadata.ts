import { cutText } from "@reelscript/contract/values";
import type { OwnAddresses } from "./own-addresses.ts";
import { longestProgramId, programIdOf } from "./registered-program.ts";

const mostAddresses = 10;
const longestAddress = 1_000;
const longestName = 60;

const loopbacks: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Turns a program's own metadata, from a registration or a document, into a program without a secret that receives codes only
 * at its addresses, none of which leads to us. Throws the error that `refuse` makes of the reason.
 */
export function limitMetadata(
  metadata: Record<string, unknown>,
  ownAddresses: OwnAddresses,
  refuse: (reason: string) => Error,
): void {
  const addresses = metadata.redirect_uris;
  if (!Array.isArray(addresses) || addresses.length === 0 || addresses.length > mostAddresses)
    throw refuse(`redirect_uris must be a list of 1 to ${mostAddresses} addresses`);
  if (addresses.some((address) => typeof address !== "string" || address.length > longestAddress))
    throw refuse(`redirect_uris must be texts of at most ${longestAddress} characters`);
  const ours = [metadata.client_id, ...addresses].find(
    (address) => typeof address === "string" && ownAddresses.include(address),
  );
  if (ours !== undefined) throw refuse("redirect_uris and client_id must not lead to this service");
  const { redirect_uris, client_id, client_id_issued_at } = metadata;
  const name = nameOf(metadata.client_name, ownAddresses);
  if (programIdOf(name, addresses as string[]).length > longestProgramId)
    throw refuse("client_name and redirect_uris are too long together");
  for (const field of Object.keys(metadata)) delete metadata[field];
  Object.assign(metadata, {
    redirect_uris,
    client_id,
    client_id_issued_at,
    client_name: name,
    // Such a program may use https addresses, this computer at any port, and a scheme of its own.
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    subject_type: "public",
    id_token_signed_response_alg: "ES256",
    require_auth_time: false,
  });
}

/**
 * The name on one line, without marks that change the direction of later text; replaced if it could be mistaken for this
 * service.
 */
export function nameOf(given: unknown, ownAddresses: OwnAddresses): string {
  const name = typeof given === "string" ? given.replace(/[\p{C}\p{Z}]+/gu, " ").trim() : "";
  return name === "" || ownAddresses.areNamedIn(name) ? "A program" : cutText(name, longestName).trim();
}

export const thisComputer = "this computer";

/**
 * The destination of a person's answer as people see it. The port is left out for a program on this computer, because it means
 * nothing to people.
 */
export function addressOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "https:") return host;
  return loopbacks.has(hostname) ? thisComputer : `${protocol}//`;
}

/** The source in a page's `form-action` policy for the target of a form's answer. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri);
  return protocol.startsWith("http") && !hostname.startsWith("[") ? origin : protocol;
}
