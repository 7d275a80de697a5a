import type { PlanName } from "@reelscript/contract";
import type { Clock, Invitation, Mailer, Passwords } from "../../ports.ts";
import { after, createSecret, hashOf } from "../secret.ts";

const daySeconds = 24 * 60 * 60;
/** How long a link may wait in somebody's mailbox. */
const invitationDays = 7;

export interface InviteNeeds {
  readonly passwords: Passwords;
  readonly clock: Clock;
  /** The address that users see, without a slash at its end. */
  readonly site: string;
}

export interface Invited {
  readonly email: string;
  readonly plan: PlanName;
  /** For the audit. */
  readonly by: string;
  readonly reason: string;
}

export interface InvitationLink extends Invitation {
  readonly link: string;
}

/** Creates a link with which a person sets a password, once. The token comes after the #, which browsers don't send to servers. */
export async function invite(
  { passwords, clock, site }: InviteNeeds,
  { email, plan, by, reason }: Invited,
): Promise<InvitationLink> {
  const token = createSecret();
  const now = clock.now();
  const expiresAt = after(now, invitationDays * daySeconds);
  const invitation = await passwords.invite({ email, plan, by, reason, tokenHash: hashOf(token), expiresAt, now });
  return { ...invitation, link: `${site}/app/invitation#${token}` };
}

/** Mails the link to the person. Throws like `Mailer.send`. */
export async function mailInvitation(
  mailer: Mailer,
  { email, isReset, expiresAt, link }: InvitationLink,
): Promise<void> {
  const until = `${expiresAt.toISOString().slice(0, 10)}`;
  await mailer.send({
    to: email,
    subject: isReset ? "Your new password for Reelscript" : "Your invitation to Reelscript",
    text: [
      isReset
        ? "With this link you set a new password for Reelscript, which ends your other sessions:"
        : "With this link you set your password for Reelscript:",
      link,
      `It works once, until ${until}. If you didn’t expect this mail, you can ignore it: nothing changes.`,
    ].join("\n\n"),
  });
}
