import type { Account, Passwords } from "../ports.ts";

/** Whether an account operates the service. */
export type IsOperator = (account: Account) => Promise<boolean>;

interface OperatorNeeds {
  /** Ids that the settings name. */
  readonly operatorAccounts: readonly string[];
  /** Whoever signs in with this address and a password. Only invited people do; a provider may let anybody claim an address. */
  readonly operatorEmail: string | undefined;
  readonly passwords: Pick<Passwords, "findByEmail">;
}

export const createIsOperator =
  ({ operatorAccounts, operatorEmail, passwords }: OperatorNeeds): IsOperator =>
  async ({ id, email }) => {
    if (operatorAccounts.includes(id)) return true;
    if (operatorEmail === undefined || email.toLowerCase() !== operatorEmail) return false;
    return (await passwords.findByEmail(operatorEmail))?.accountId === id;
  };
