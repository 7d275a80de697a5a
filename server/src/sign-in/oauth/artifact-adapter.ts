import type { AdapterFactory, AdapterPayload } from "oidc-provider";
import type { OauthArtifacts, Clock } from "../../ports.ts";
import { hashOf, after } from "../secret.ts";
import { programOf } from "./registered-program.ts";

interface ArtifactNeeds {
  readonly oauthArtifacts: OauthArtifacts;
  readonly clock: Clock;
}

/**
 * Stores the library's state by the hashes of its secrets. The library has no sessions of its own: it uses the dashboard's
 * signed-in person each time. A program's registration is in its id. The library takes a connected program for an account, so
 * everything that it issues ends with the program.
 */
export function createArtifactAdapter(
  { oauthArtifacts: artifacts, clock }: ArtifactNeeds,
  /** The library's error for a code or token that another request used at the same moment. */
  used: () => Error,
): AdapterFactory {
  const hashed = (id: string | undefined): Uint8Array | null => (id === undefined ? null : hashOf(id));

  return (kind) => ({
    async upsert(id, { jti: _secret, ...payload }, expiresIn = 0) {
      if (kind === "Session" || kind === "Client") return;
      const { grantId, accountId } = payload;
      await artifacts.save({
        kind,
        hash: hashOf(id),
        keyId: accountId ?? null,
        grantHash: hashed(kind === "Grant" ? id : grantId),
        payload,
        expiresAt: after(clock.now(), expiresIn),
      });
    },
    async find(id) {
      if (kind === "Client") return programOf(id);
      const now = clock.now();
      const artifact = kind === "Session" ? undefined : await artifacts.find(kind, hashOf(id), now);
      if (artifact === undefined) return undefined;
      const payload = artifact.payload as AdapterPayload; // safe: the library gave it
      // It prolongs some beyond what it was told itself.
      const exp = Math.floor((Date.now() + artifact.expiresAt.getTime() - now.getTime()) / 1_000);
      return { ...payload, jti: id, exp, ...(artifact.isConsumed && { consumed: true }) };
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume(id) {
      if (!(await artifacts.consume(kind, hashOf(id), clock.now()))) throw used();
    },
    destroy: (id) => artifacts.remove(kind, hashOf(id)),
    revokeByGrantId: (grantId) => artifacts.revokeGrant(hashOf(grantId), clock.now()),
  });
}
