import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Configuration } from "oidc-provider";
import { refuseCrossSite } from "../callers/refuse-cross-site.ts";
import { markup } from "../markup.ts";
import { answerBy, asSeen, onceMade } from "./load-provider.ts";
import { openDevelopmentProvider, personPath } from "./open-development-provider.ts";
import { messagePage, page, pageHeaders } from "./page.ts";
import { readForm } from "./read-form.ts";
import type { Guard } from "./sign-in-limit.ts";

/** Under which its identities are stored: where it listens may change, who somebody is must not. */
export const developmentIssuer = "development";

/** Whom its page proposes. */
export const developmentPerson = "developer@example.com";

const providerPath = "/dev-idp";
const longestEmail = 254;

interface ServingNeeds {
  /** Whether requests come to the address that users see, with no proxy between. */
  readonly direct: boolean;
  readonly guard: Guard;
  /** Gives a request its content type back, which the door hides from the framework. */
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
}

/**
 * A real OpenID Connect provider on our own address that asks for no password: whoever reaches it can be anyone. What it
 * remembers is gone with the process.
 */
export function createDevelopmentProvider(baseUrl: () => string) {
  const client = {
    issuer: () => `${baseUrl()}${providerPath}`,
    id: "reelscript",
    secret: randomBytes(32).toString("base64url"),
  };
  /** Services on one machine share their cookies, so the name tells the port. */
  const cookieName = (name: string): string => `reelscript_development_${name}_${new URL(baseUrl()).port}`;
  const provider = onceMade(() => openDevelopmentProvider({ client, baseUrl, cookieName, renderError }));

  /** It is shown no session of its own, so that it asks each time, and a browser may sign in as one person after another. */
  function shown(request: FastifyRequest): FastifyRequest["raw"] {
    const raw = asSeen(request, baseUrl());
    raw.headers.cookie = (raw.headers.cookie ?? "")
      .split(/;\s*/)
      .filter((pair) => !pair.startsWith(cookieName("session")))
      .join("; ");
    return raw;
  }

  /** Whether the browser is about to say who it is. */
  const asks = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> =>
    (await provider()).interactionDetails(shown(request), reply.raw).then(
      () => true,
      () => false,
    );

  /** Takes the browser's word for it and says where it continues. */
  async function accept(email: string, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const result = { login: { accountId: email } };
    const options = { mergeWithLastSubmission: false };
    return (await provider()).interactionResult(shown(request), reply.raw, result, options);
  }

  return {
    /** What our own side of the sign-in needs to know of it, once it can answer: loading it may take longer than a provider is waited for. */
    async settings() {
      await provider();
      return { issuer: client.issuer(), clientId: client.id, clientSecret: client.secret };
    },

    /** Adds its routes, and the page where a person says who to be. */
    serve(app: FastifyInstance, { direct, guard, showContentType }: ServingNeeds): void {
      /** Another site may let its own name lead here, and would then be the same site to the browser. */
      const forUs =
        (answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
        async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
          if (!direct || request.headers.host === new URL(baseUrl()).host) return answer(request, reply);
          const link = { href: baseUrl(), label: "Go there" };
          return send(reply, 421, messagePage("Wrong address", `This service is at ${baseUrl()}.`, link));
        };

      app.all(
        `${providerPath}/*`,
        forUs(async (request, reply) => {
          showContentType(request.raw);
          const made = await provider();
          const raw = shown(request);
          const path = raw.url ?? "";
          Object.assign(raw, { originalUrl: path, url: path.slice(providerPath.length) });
          return answerBy(made, request, reply, raw);
        }),
      );

      app.get(
        `${personPath}/:uid`,
        guard(
          forUs(async (request, reply) =>
            (await asks(request, reply))
              ? send(reply, 200, personPage(developmentPerson))
              : send(reply, 400, expiredPage),
          ),
        ),
      );

      app.post(
        `${personPath}/:uid`,
        guard(
          forUs(async (request, reply) => {
            refuseCrossSite(request, baseUrl());
            const email = ((await readForm(request))?.get("email") ?? "").trim().toLowerCase();
            if (!(await asks(request, reply))) return send(reply, 400, expiredPage);
            if (email.length <= longestEmail && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email))
              return reply.redirect(await accept(email, request, reply), 303);
            const problem = "Enter an email address such as name@example.com.";
            return send(reply, 400, personPage(email.slice(0, longestEmail), problem));
          }),
        ),
      );
    },
  };
}

const renderError: Configuration["renderError"] = (context) => {
  for (const [name, value] of Object.entries(pageHeaders)) context.set(name, value);
  context.body = expiredPage;
};

const expiredPage = messagePage(
  "This sign-in has expired",
  "It was open for too long, was finished before, or began in another browser.",
  { href: "/auth/login", label: "Sign in again" },
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
