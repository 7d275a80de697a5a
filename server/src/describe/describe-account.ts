import type { Account } from "../ports.ts";

/** An account as the person whose it is may see it. */
export const describeAccount = ({ id, email, name, plan, createdAt }: Account) => ({
  id,
  email,
  name,
  plan,
  createdAt: createdAt.toISOString(),
});
