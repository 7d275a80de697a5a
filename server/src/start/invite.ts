import { createSmtpMailer } from "../adapters/mail/smtp-mailer.ts";
import type { Mailer } from "../ports.ts";
import {
  invite,
  mailInvitation,
  type InvitationLink,
  type Invited,
  type InviteNeeds,
} from "../sign-in/password/invite.ts";
import type { Config } from "../settings/config.ts";

/** An invitation of an operator. */
export interface SentInvitation extends InvitationLink {
  /** True if the link was mailed, false if that failed; undefined if this service sends no mail. */
  readonly isMailed: boolean | undefined;
}

/** Creates a link, and mails it if there is a mail server. Mail that fails stops nobody: the operator has the link. */
export async function inviteByMail(
  { mailer, ...needs }: InviteNeeds & { readonly mailer: Mailer | undefined },
  invited: Invited,
): Promise<SentInvitation> {
  const invitation = await invite(needs, invited);
  const isMailed =
    mailer &&
    (await mailInvitation(mailer, invitation).then(
      () => true,
      () => false,
    ));
  return { ...invitation, isMailed };
}

/** The link for the operator, until somebody has a password. */
export async function inviteOperator(needs: InviteNeeds, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || (await needs.passwords.exist())) return undefined;
  const { link } = await invite(needs, { email, plan: "creator", by: "start", reason: "the operator's account" });
  return link;
}

/** The mail server of the settings, if there is one. */
export const mailerOf = ({ mail }: Pick<Config, "mail">): Mailer | undefined => mail && createSmtpMailer(mail);

/** The address that invitations lead to; `undefined` if people don't sign in by password. */
export const invitationSite = ({
  signIn,
  baseUrl,
  host,
  port,
}: Pick<Config, "signIn" | "baseUrl" | "host" | "port">): string | undefined =>
  signIn.kind === "password" ? (baseUrl ?? `http://${host}:${port}`) : undefined;
