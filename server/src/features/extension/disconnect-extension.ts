import { ServiceError } from "@reelscript/contract";
import type { Clock, Sessions } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const disconnectExtension =
  ({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }): Handler<"disconnectExtension"> =>
  async ({ caller: { kind, account, session } }) => {
    if (kind === "extension" && (await sessions.revoke(account.id, session.id, clock.now()))) return { id: session.id };
    throw new ServiceError("notFound", "This request was not made with the token of an extension.");
  };
