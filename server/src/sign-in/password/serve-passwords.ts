import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf, refuseCrossSite } from "../../callers/authenticate.ts";
import type { AccountPassword, Clock, Mailer, Passwords, RateLimits, SignInAttempts } from "../../ports.ts";
import type { ServingNeeds } from "../identity-provider.ts";
import { readForm } from "../read-form.ts";
import { hashOf, secretIn } from "../secret.ts";
import { invite, mailInvitation } from "./invite.ts";
import { isTooLong, type PasswordHasher, problemOfPassword } from "./password-hash.ts";

export interface PasswordNeeds {
  readonly passwords: Passwords;
  readonly mailer: Mailer | undefined;
  /** Receives mails that failed. */
  readonly onNotice: (error: unknown, where: string) => void;
  readonly signInAttempts: SignInAttempts;
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

interface ServingPasswords extends PasswordNeeds, ServingNeeds {
  readonly hasher: PasswordHasher;
  /** The code with which the browser returns to the sign-in that `verifier` belongs to. */
  readonly codeOf: (password: AccountPassword, verifier: string) => string;
}

/** Two passwords of 200 characters, each up to 12 bytes long in a form. */
const longestBody = 8_192;
const longestEmail = 254;

/**
 * Tries in any hour with one address: from one network, and from all. A stranger with many networks can keep a person from
 * signing in for an hour, but not with one.
 */
const signInTries = { name: "sign-in-name", limits: { network: 10, all: 100 } };

/** The requests of the dashboard's pages; all answer in JSON. */
export function servePasswords(app: FastifyInstance, needs: ServingPasswords): void {
  const { guard, baseUrl } = needs;
  /** Answers a form of our own page. */
  const post = (
    path: string,
    answer: (form: Form, request: FastifyRequest, reply: FastifyReply) => Promise<object>,
  ): void =>
    void app.post(
      path,
      guard(async (request, reply) => {
        refuseCrossSite(request, baseUrl());
        const form = await readForm(request, longestBody);
        if (form === undefined) throw new ServiceError("invalidRequest", "The form is too long.");
        return reply.send(await answer((name) => form.get(name) ?? "", request, reply));
      }),
    );
  post("/auth/password", signIn(needs));
  post("/auth/password/change", changePassword(needs));
  post("/auth/password/forgotten", forgetPassword(needs));
  post("/auth/invitation", showInvitation(needs));
  post("/auth/invitation/accept", acceptInvitation(needs));
}

/** The value of a field; empty if the form doesn't have it. */
type Form = (name: string) => string;

/** The answer and its cost are the same for unknown addresses, wrong passwords and accounts without a password. */
function signIn(needs: ServingPasswords) {
  const { passwords, hasher } = needs;
  return async (form: Form, request: FastifyRequest) => {
    const email = form("email").trim().toLowerCase();
    const password = form("password");
    const returnOf = await returnFrom(needs, form("state"));
    if (email === "" || email.length > longestEmail || isTooLong(password)) throw wrongPassword();
    const network = networkOf(request.ip);
    await countTry(needs, email, network);
    const stored = await passwords.findByEmail(email);
    if (!(await hasher.verify(password, stored?.hash, network)) || stored === undefined) throw wrongPassword();
    return returnOf(stored);
  };
}

const wrongPassword = (): ServiceError =>
  new ServiceError("unauthorized", "The email address or the password is wrong.");

function changePassword(needs: ServingPasswords) {
  const { passwords, hasher, clock, authenticatePerson } = needs;
  return async (form: Form, request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticatePerson(request, reply);
    if (caller.kind !== "session") throw new ServiceError("unauthorized", "Sign in first.");
    const { account, session } = caller;
    const stored = await passwords.findByAccount(account.id);
    if (stored === undefined) throw new ServiceError("notFound", "Your account has no password.");
    const network = networkOf(request.ip);
    const problem = problemOfPassword(form("password"), stored.email);
    if (problem !== undefined) throw new ServiceError("invalidRequest", problem);
    await countTry(needs, stored.email, network);
    const current = form("current");
    if (isTooLong(current) || !(await hasher.verify(current, stored.hash, network)))
      throw new ServiceError("invalidRequest", "Your current password is wrong. Nothing was changed.");
    const hash = await hasher.hash(form("password"), network);
    const change = { accountId: account.id, former: stored.hash, hash, sessionId: session.id, now: clock.now() };
    if (!(await passwords.change(change)))
      throw new ServiceError("invalidRequest", "Your password was changed elsewhere in the meantime.", { status: 412 });
    return {};
  };
}

/** Links in any hour for one address: asked from one network, and from all. */
const linksOfName = { network: 3, all: 6 };

/**
 * Mails a link for a new password, if somebody has the address. The answer is the same for every address and doesn't wait, so
 * that nobody learns who has an account, and no mail server holds anybody up.
 */
function forgetPassword(needs: ServingPasswords) {
  const { passwords, mailer, clock, baseUrl, onNotice } = needs;
  return async (form: Form, request: FastifyRequest) => {
    if (mailer === undefined)
      throw new ServiceError("notFound", "This service sends no mail. Ask its operator for a link.");
    const email = form("email").trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > longestEmail)
      throw new ServiceError("invalidRequest", "Enter the whole email address.");
    await countTry(needs, email, networkOf(request.ip), { name: "password-link", limits: linksOfName });
    const send = async (): Promise<void> => {
      if ((await passwords.findByEmail(email)) === undefined) return;
      const invited = { email, plan: "free", by: "sign-in page", reason: "forgotten password" } as const;
      await mailInvitation(mailer, await invite({ passwords, clock, site: baseUrl() }, invited));
    };
    send().catch((error: unknown) => onNotice(error, "mail"));
    return {};
  };
}

/** Answers with the contents of an invitation's page before a password is chosen. */
function showInvitation({ passwords, clock }: ServingPasswords) {
  return async (form: Form) => {
    const token = secretIn(form("token"));
    const invitation = token && (await passwords.findInvitation(hashOf(token), clock.now()));
    if (!invitation) throw invitationGone();
    return { email: invitation.email, isReset: invitation.isReset };
  };
}

const invitationGone = (): ServiceError =>
  new ServiceError(
    "notFound",
    "This link was used, replaced or is older than 7 days. Ask your operator for a new one.",
  );

/** Uses the invitation up, and signs the person in. */
function acceptInvitation(needs: ServingPasswords) {
  const { passwords, hasher, clock } = needs;
  return async (form: Form, request: FastifyRequest) => {
    const token = secretIn(form("token"));
    const tokenHash = token && hashOf(token);
    const invitation = tokenHash && (await passwords.findInvitation(tokenHash, clock.now()));
    if (!tokenHash || !invitation) throw invitationGone();
    const problem = problemOfPassword(form("password"), invitation.email);
    if (problem !== undefined) throw new ServiceError("invalidRequest", problem);
    const returnOf = await returnFrom(needs, form("state"));
    const hash = await hasher.hash(form("password"), networkOf(request.ip));
    const stored = await passwords.accept({ tokenHash, hash, now: clock.now() });
    if (stored === undefined) throw invitationGone();
    return returnOf(stored);
  };
}

/** Checks that a sign-in was begun, and returns what leads back to it. */
async function returnFrom(
  { signInAttempts, clock, baseUrl, callbackPath, codeOf }: ServingPasswords,
  stateText: string,
): Promise<(password: AccountPassword) => { readonly location: string }> {
  const state = secretIn(stateText);
  const attempt = state && (await signInAttempts.find(hashOf(state), clock.now()));
  if (!attempt)
    throw new ServiceError("invalidRequest", "Signing in took longer than ten minutes. Try again.", { status: 412 });
  return (password) => {
    const back = new URLSearchParams({ code: codeOf(password, attempt.verifier), state });
    return { location: `${baseUrl()}${callbackPath}?${back.toString()}` };
  };
}

/** Counts a try with an address, whether anybody has it or not. Throws `rateLimited`. */
async function countTry(
  { rateLimits, clock }: Pick<ServingPasswords, "rateLimits" | "clock">,
  email: string,
  network: string,
  { name: kind, limits }: typeof signInTries = signInTries,
): Promise<void> {
  const name = createHash("sha256").update(email).digest("base64url");
  for (const [subject, limit] of [
    [`${kind}:${name}:${network}`, limits.network],
    [`${kind}:${name}`, limits.all],
  ] as const) {
    const { taken, states } = await rateLimits.take(subject, [{ name: "address", limit }], clock.now());
    if (taken) continue;
    const seconds = Math.max(1, Math.ceil(states[0]?.resetSeconds ?? 0));
    const minutes = Math.ceil(seconds / 60);
    throw new ServiceError(
      "rateLimited",
      `Too many tries with this address. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
      { retryAfter: seconds },
    );
  }
}
