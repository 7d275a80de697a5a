import { ServiceError } from "@reelscript/contract";
import type { Accounts, Clock } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

interface DeleteAccountNeeds {
  readonly accounts: Pick<Accounts, "remove">;
  readonly clock: Clock;
  /** Ends what is paid for, at once; nothing happens where nothing is. Throws `upstreamError` when the biller is away. */
  readonly endSubscription: (accountId: string) => Promise<void>;
}

export const deleteAccount =
  ({ accounts, clock, endSubscription }: DeleteAccountNeeds): Handler<"deleteAccount"> =>
  async ({ input: { confirm }, caller: { account } }) => {
    const { id, email } = account;
    if (plain(confirm) !== plain(email === "" ? id : email))
      throw new ServiceError(
        "invalidRequest",
        email === ""
          ? "`confirm`: must be the id of your account, which has no email address. Nothing was deleted."
          : "`confirm`: must be the email address of your account. Nothing was deleted.",
      );
    // First, so that nobody keeps paying for what is gone.
    await endSubscription(id);
    await accounts.remove(id, clock.now());
    return { id };
  };

const plain = (text: string): string => text.trim().normalize("NFC").toLowerCase();
