import { cutText } from "@reelscript/contract/values";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refuseCrossSite } from "../callers/authenticate.ts";
import { markup } from "../markup/markup.ts";
import { type IdentityProvider, SignInRefused } from "./identity-provider.ts";
import { messagePage, page, pageHeaders } from "../markup/page.ts";
import { readForm } from "./read-form.ts";
import { createSecret, secretIn } from "./secret.ts";

/** The issuer of its identities in the database. */
export const developmentIssuer = "development";

/** The suggested address on its page. */
export const developmentPerson = "developer@example.com";

const personPath = "/dev-login";
const longestEmail = 254;
/** People who never return leave their answers in memory. */
const mostAnswers = 1_000;

/** Headers that proxies, tunnels and content networks add, but browsers never do. */
const headersOfProxies =
  /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-.*|fly-client-ip|x-envoy-.*|x-amzn-trace-id|cdn-loop)$/;

/**
 * Replaces an identity provider with a page that asks for no password: anyone who can reach it can be anyone. It forgets
 * everything when the process ends.
 */
export function createDevelopmentProvider(baseUrl: () => string): IdentityProvider {
  /** Answers by code, which works for one sign-in. */
  const answers = new Map<string, { readonly state: string; readonly email: string }>();

  function remember(state: string, email: string): string {
    const [oldest] = answers.keys();
    if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest);
    const code = createSecret();
    answers.set(code, { state, email });
    return code;
  }

  return {
    authorizationUrl: async ({ state }) => `${baseUrl()}${personPath}?${new URLSearchParams({ state }).toString()}`,

    async claimsOf(query, { state }) {
      const code = new URLSearchParams(query).get("code") ?? "";
      const answer = answers.get(code);
      answers.delete(code);
      if (answer?.state !== state) throw new SignInRefused("The code doesn’t belong to this sign-in.");
      const { email } = answer;
      return {
        issuer: developmentIssuer,
        subject: email,
        email,
        isEmailVerified: true,
        name: nameIn(email),
        idToken: null,
      };
    },

    endSessionUrl: async () => undefined,

    serve(app, { guard, callbackPath }) {
      /** Another site may let its own name resolve to this address, and the browser would then treat both as the same site. */
      const forUs = (answer: (request: FastifyRequest, reply: FastifyReply, state: string) => Promise<FastifyReply>) =>
        guard(async (request, reply) => {
          if (isForwarded(request)) return send(reply, 403, forwardedPage);
          if (request.headers.host !== new URL(baseUrl()).host) {
            const link = { href: baseUrl(), label: "Go there" };
            return send(reply, 421, messagePage("Wrong address", `This service is at ${baseUrl()}.`, link));
          }
          const state = secretIn((request.query as Readonly<Record<string, unknown>>).state);
          return state === undefined ? send(reply, 400, expiredPage) : answer(request, reply, state);
        });
      app.get(
        personPath,
        forUs(async (_request, reply) => send(reply, 200, personPage(developmentPerson))),
      );
      app.post(
        personPath,
        forUs(async (request, reply, state) => {
          refuseCrossSite(request, baseUrl(), { mayBeForm: true });
          const email = ((await readForm(request))?.get("email") ?? "").trim().toLowerCase();
          if (email.length > longestEmail || !/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email)) {
            const problem = "Enter an email address such as name@example.com.";
            return send(reply, 400, personPage(cutText(email, longestEmail), problem));
          }
          const back = new URLSearchParams({ code: remember(state, email), state });
          return reply.redirect(`${baseUrl()}${callbackPath}?${back.toString()}`, 303);
        }),
      );
    },
  };
}

/**
 * Through a proxy anybody may call, and the proxy may send any name as `Host`. Browsers use HTTP/1.1 here; some proxies use
 * 1.0, without a header that reveals them.
 */
const isForwarded = ({ raw: { headers, httpVersion } }: FastifyRequest): boolean =>
  httpVersion !== "1.1" || Object.keys(headers).some((name) => headersOfProxies.test(name));

const nameIn = (email: string): string => {
  const local = email.split("@")[0] ?? "";
  return local.charAt(0).toUpperCase() + local.slice(1);
};

const expiredPage = messagePage("This sign-in has expired", "It’s too old, or this link is incomplete.", {
  href: "/auth/login",
  label: "Sign in again",
});

const forwardedPage = messagePage(
  "Only on this machine",
  "This request came through a proxy, and this sign-in doesn’t ask for a password. Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.",
  { href: "/app", label: "Back" },
);

const send = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(html);

const personPage = (email: string, error?: string): string =>
  page(
    "Development sign-in",
    markup`<p>No password: this page is here because the service runs on your own machine without an identity provider.</p>
<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" required autofocus maxlength="${longestEmail}" autocomplete="username" spellcheck="false" value="${email}" aria-describedby="hint"${error !== undefined && markup` aria-invalid="true"`}>
<p class="${error === undefined ? "hint" : "error"}" id="hint">${error ?? "Each email address has its own account."}</p>
<button class="button">Sign in</button>
</form>`,
  );
