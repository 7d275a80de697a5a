import { keysPerAccount, ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { InteractionResults, Provider } from "oidc-provider";
import { refuseCrossSite } from "../../callers/authenticate.ts";
import type { Account } from "../../ports.ts";
import { asSeen } from "./load-provider.ts";
import { messagePage } from "../../markup/page.ts";
import { createSecret, hashOf, after } from "../secret.ts";
import { readForm } from "../read-form.ts";
import { answerSeconds, consentPath, scopes, type OauthNeeds } from "./authorization-server.ts";
import { consentHeaders, consentPage, type Asking } from "./consent-page.ts";
import { addressOf } from "./program-metadata.ts";

interface ConsentRequest extends Asking {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The audience of the tokens, in each spelling that the program requested. */
  readonly resources: readonly string[];
}

interface Begun {
  readonly uid: string;
  readonly request: Omit<ConsentRequest, "email">;
}

interface ConsentView {
  readonly consent: ConsentRequest;
  readonly account: Account;
  /** A secret of the page that the person saw, so that no other form can be used as its answer. */
  readonly proof: string;
}

/** The page on which a person allows a program to act for them, or not. */
export function serveConsent(
  app: FastifyInstance,
  needs: OauthNeeds & { readonly provider: () => Promise<Provider> },
): void {
  const { baseUrl, uncounted, countFirst, authenticatePerson } = needs;

  /** The request for consent; `undefined` when it expired, was answered, or belongs to another browser. */
  async function begunIn(request: FastifyRequest, reply: FastifyReply): Promise<Begun | undefined> {
    const provider = await needs.provider();
    const details = await provider.interactionDetails(asSeen(request, baseUrl()), reply.raw).catch(() => undefined);
    const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = details?.params ?? {};
    const client = typeof clientId === "string" && (await provider.Client.find(clientId));
    if (!client || details === undefined || typeof redirectUri !== "string" || details.result !== undefined)
      return undefined;
    const consent = {
      clientId: client.clientId,
      redirectUri,
      resources: [resource].flat().map(String),
      name: client.clientName ?? "",
      address: addressOf(redirectUri),
      document: client.clientId.startsWith("https://") ? new URL(client.clientId).host : undefined,
      scopes: scopes.filter((one) => String(scope).split(" ").includes(one)),
    };
    return { uid: details.uid, request: consent };
  }

  /**
   * For signed-in people; others sign in and return. A flow was counted when it started and is counted by itself from then on,
   * so no stranger can keep anybody from finishing it.
   */
  const forPerson = (
    answer: (request: FastifyRequest, reply: FastifyReply, view: ConsentView) => Promise<FastifyReply>,
  ): RouteHandlerMethod =>
    uncounted(async (request, reply) => {
      const begun = await begunIn(request, reply);
      if (begun === undefined) return countFirst(async () => sendExpired(reply))(request, reply);
      return countFirst(async () => {
        const caller = await authenticatePerson(request, reply);
        if (caller.kind !== "session") return needs.beginSignIn(request, reply, `${consentPath}/${begun.uid}`);
        const { account, session } = caller;
        return answer(request, reply, {
          consent: { ...begun.request, email: account.email },
          account,
          proof: hashText(`${begun.uid} was shown in ${session.id}`),
        });
      }, `consent:${begun.uid}`)(request, reply);
    });

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
  ): Promise<FastifyReply> {
    const provider = await needs.provider();
    const options = { mergeWithLastSubmission: false };
    const next = await provider.interactionResult(asSeen(request, baseUrl()), reply.raw, result, options);
    return reply.redirect(next, 303);
  }

  const path = `${consentPath}/:uid`;
  app.get(
    path,
    forPerson(async (_request, reply, { consent, proof }) =>
      reply.headers(consentHeaders(consent.redirectUri)).send(consentPage(consent, proof)),
    ),
  );
  app.post(
    path,
    forPerson(async (request, reply, { consent, account, proof }) => {
      refuseCrossSite(request, baseUrl(), { mayBeForm: true });
      const form = await readForm(request);
      if (form?.get("proof") !== proof) throw notShown();
      if (form.get("answer") !== "allow") return finish(request, reply, { error: "access_denied" });
      const readOnly = !consent.scopes.includes("full") || form.get("access") === "read";
      const keyId = await keyOfProgram(needs, account, consent, readOnly);
      if (keyId === undefined) return reply.code(409).headers(consentHeaders()).send(fullPage);
      const granted = consent.scopes.filter((scope) => !readOnly || scope === "read");
      const grantId = await grantTo(await needs.provider(), consent, keyId, granted);
      return finish(request, reply, { login: { accountId: keyId, remember: false }, consent: { grantId } });
    }),
  );
}

/** The id of the program in its key slot; `undefined` if all slots are taken. */
async function keyOfProgram(
  { keys, clock }: Pick<OauthNeeds, "keys" | "clock">,
  account: Account,
  { name, address }: ConsentRequest,
  readOnly: boolean,
): Promise<string | undefined> {
  const now = clock.now();
  // No text matches this hash, because a program has tokens instead of a key.
  const unusable = { hash: hashOf(createSecret()), lastFour: "" };
  const expiresAt = after(now, answerSeconds);
  const newKey = await keys.create({ accountId: account.id, name, address, readOnly, ...unusable, expiresAt, now });
  return typeof newKey === "string" ? undefined : newKey.id;
}

async function grantTo(
  { Grant }: Provider,
  { clientId, resources }: ConsentRequest,
  keyId: string,
  granted: readonly string[],
): Promise<string> {
  const grant = new Grant({ clientId, accountId: keyId });
  const denied = scopes.filter((scope) => !granted.includes(scope));
  for (const resource of resources) {
    grant.addResourceScope(resource, granted.join(" "));
    if (denied.length > 0) grant.rejectResourceScope(resource, denied.join(" "));
  }
  return grant.save();
}

const hashText = (text: string): string => Buffer.from(hashOf(text)).toString("base64url");

const notShown = (): ServiceError =>
  new ServiceError("invalidRequest", "This response didn’t come from our page. Connect the program again.", {
    reason: "crossSite",
  });

const sendExpired = (reply: FastifyReply): FastifyReply =>
  reply
    .code(400)
    .headers(consentHeaders())
    .send(
      messagePage(
        "This request has expired",
        "It was open too long, was already answered, or started in another browser. Connect the program again.",
        { href: "/app", label: "Open Reelscript" },
      ),
    );

const fullPage = messagePage(
  `All ${keysPerAccount} key slots are taken`,
  "Keys and connected programs share them. Revoke a key or disconnect a program that you don’t need, then connect this one again.",
  { href: "/app/settings/keys", label: "See keys and programs" },
);
