import { ServiceError } from "@reelscript/contract";
import type { KeyRequests, Keys } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { describeKey } from "../../describe/describe-key.ts";

interface ListKeyRequestsNeeds {
  readonly keys: Keys;
  readonly keyRequests: KeyRequests;
}

/** Of revoked keys too: what a key did last is asked most when it was revoked in a hurry. */
export const listKeyRequests =
  ({ keys, keyRequests }: ListKeyRequestsNeeds): Handler<"listKeyRequests"> =>
  async ({ input: { id }, caller }) => {
    const key = (await keys.list(caller.account.id)).find((own) => own.id === id);
    if (key === undefined) throw new ServiceError("notFound", "You have no key with this id.");
    const found = await keyRequests.list(key.id);
    return {
      key: describeKey(key),
      requests: found.map(({ at, ...request }) => ({ at: at.toISOString(), ...request })),
    };
  };
