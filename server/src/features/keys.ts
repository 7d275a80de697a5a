import { keysPerAccount, ServiceError } from "@reelscript/contract";
import type { Account, ApiKey, Allowances, Clock, Keys, KeyRequests } from "../ports.ts";
import type { Handlers } from "../run/handler.ts";
import { allowanceOf, type QuotaScope } from "../rules/allowance.ts";
import { accountDeleted, orThrow, noActiveKey } from "../rules/refusals.ts";

interface UsageNeeds {
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
}

interface KeyNeeds extends UsageNeeds {
  readonly keys: Keys;
  readonly keyRequests: KeyRequests;
  readonly drawKey: () => { readonly key: string; readonly hash: Uint8Array; readonly lastFour: string };
}

export function keyHandlers(needs: KeyNeeds) {
  const { keys, clock, quotaScope, keyRequests, drawKey } = needs;
  const revoke: Handlers["revokeKey"] = async ({ input: { id }, caller }) => {
    if (await keys.revokeOwn(caller.account.id, id, clock.now())) return { id };
    throw noActiveKey();
  };
  return {
    listKeys: async ({ caller: { account } }) => {
      const live = (await keys.list(account.id)).filter(
        ({ revokedAt, address }) => revokedAt === null && address === null,
      );
      const described = await Promise.all(
        live.map(async (key) => ({ ...key, transcriptions: await usageOf(needs, account, key) })),
      );
      return { keys: described, limit: keysPerAccount, quotaScope };
    },

    listPrograms: async ({ caller: { account } }) => {
      const now = clock.now();
      const programs = await Promise.all(
        (await keys.list(account.id)).map(async (key) => {
          const { address, expiresAt, revokedAt } = key;
          if (address === null || expiresAt === null || expiresAt <= now || revokedAt !== null) return [];
          return { ...key, address, expiresAt, transcriptions: await usageOf(needs, account, key) };
        }),
      );
      return { programs: programs.flat() };
    },

    /** Works for revoked keys, too, because people who revoked a key in a hurry want to see its last requests. */
    listKeyRequests: async ({ input: { id }, caller }) => {
      const key = (await keys.list(caller.account.id)).find(
        ({ id: keyId, address }) => keyId === id && address === null,
      );
      if (key === undefined) throw new ServiceError("notFound", "You have no key with this id.");
      return { key, requests: await keyRequests.list(key.id) };
    },

    createKey: async ({ input: { name, expiresAt: end, readOnly }, caller }) => {
      const now = clock.now();
      const expiresAt = end === undefined ? undefined : new Date(end);
      if (expiresAt !== undefined && expiresAt <= now)
        throw new ServiceError("invalidRequest", "`expiresAt`: must be in the future.");
      const { key: secret, hash, lastFour } = drawKey();
      const newKey = await keys.create({
        accountId: caller.account.id,
        name,
        hash,
        lastFour,
        expiresAt,
        readOnly,
        now,
      });
      if (newKey === "noAccount") throw accountDeleted();
      if (newKey === "full")
        throw new ServiceError(
          "limitReached",
          `You already have ${keysPerAccount} keys, the maximum, connected programs included. Revoke one you don't need, then create the new one.`,
          { reason: "keysUsed" },
        );
      return { key: newKey, secret };
    },

    renameKey: async ({ input: { id, name }, caller }) =>
      orThrow(await keys.rename(caller.account.id, id, name), noActiveKey),

    revokeKey: revoke,
    disconnectProgram: (call) => revoke(call),
  } satisfies Partial<Handlers>;
}

async function usageOf({ allowances, clock, quotaScope }: UsageNeeds, account: Account, { slot }: ApiKey) {
  const { subject, period, limit, resetsAt } = allowanceOf(account, slot, quotaScope, clock.now());
  const { used } = await allowances.read(subject, period);
  return { used, limit, resetsAt };
}
