import type { PlanName } from "@reelscript/contract";
import type { Clock, Invitation, Passwords } from "../ports.ts";
import { after, createSecret, hashOf } from "../sign-in/secret.ts";
import type { Config } from "../settings/config.ts";

const daySeconds = 24 * 60 * 60;
/** How long a link may wait in somebody's mailbox. */
const invitationDays = 7;

interface InviteNeeds {
  readonly passwords: Passwords;
  readonly clock: Clock;
  /** The address that users see, without a slash at its end. */
  readonly site: string;
}

interface Invited {
  readonly email: string;
  readonly plan: PlanName;
  /** For the audit. */
  readonly by: string;
  readonly reason: string;
}

/** Creates a link with which a person sets a password, once. The token comes after the #, which browsers don't send to servers. */
export async function invite(
  { passwords, clock, site }: InviteNeeds,
  { email, plan, by, reason }: Invited,
): Promise<Invitation & { readonly link: string }> {
  const token = createSecret();
  const now = clock.now();
  const expiresAt = after(now, invitationDays * daySeconds);
  const invitation = await passwords.invite({ email, plan, by, reason, tokenHash: hashOf(token), expiresAt, now });
  return { ...invitation, link: `${site}/app/invitation#${token}` };
}

/** The link for the operator, until somebody has a password. */
export async function inviteOperator(needs: InviteNeeds, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || (await needs.passwords.exist())) return undefined;
  const { link } = await invite(needs, { email, plan: "creator", by: "start", reason: "the operator's account" });
  return link;
}

/** The address that invitations lead to; `undefined` if people don't sign in by password. */
export const invitationSite = ({
  signIn,
  baseUrl,
  host,
  port,
}: Pick<Config, "signIn" | "baseUrl" | "host" | "port">): string | undefined =>
  signIn.kind === "password" ? (baseUrl ?? `http://${host}:${port}`) : undefined;
