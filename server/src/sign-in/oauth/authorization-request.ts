import type { OwnAddresses } from "./own-addresses.ts";

/** Parameters that a request for consent may have. The library's others belong to features that we don't offer. */
const carried = [
  "client_id",
  "response_type",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
];
/** A client that sends one of these depends on it. */
const refused = ["request", "request_uri", "registration"];

/**
 * The address of the same request with the parameters that we support, or the reason why it is refused. Programs request other
 * scopes, such as `openid`, or none: they get all that exist.
 */
export function readAuthorization(
  address: string,
  scopes: readonly string[],
  ownAddresses: OwnAddresses,
): { readonly address: string } | { readonly reason: string } {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  if (searchParams.getAll("response_mode").some((mode) => mode !== "query"))
    return { reason: "only the response mode query is supported" };
  if (searchParams.getAll("response_type").some((type) => type !== "code"))
    return { reason: "only the response type code is supported" };
  const unknown = refused.find((name) => searchParams.has(name));
  if (unknown !== undefined) return { reason: `${unknown} is not supported` };
  // Programs on this machine are accepted at any port, which would include ours.
  if (searchParams.getAll("redirect_uri").some((target) => ownAddresses.include(target)))
    return { reason: "redirect_uri must not lead to this service" };
  const parameters = new URLSearchParams();
  for (const name of carried) for (const value of searchParams.getAll(name)) parameters.append(name, value);
  const knownScopes = (searchParams.get("scope") ?? "").split(" ").filter((scope) => scopes.includes(scope));
  parameters.set("scope", (knownScopes.length > 0 ? knownScopes : scopes).join(" "));
  return { address: `${pathname}?${parameters.toString()}` };
}
