import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { markup } from "../markup.ts";
import { refuseCrossSite } from "../callers/refuse-cross-site.ts";
import { developmentPerson, expiredPage, providerPath, type DevelopmentProvider } from "./development-provider.ts";
import { personPath } from "./open-development-provider.ts";
import { messagePage, page, pageHeaders } from "./page.ts";
import { readForm } from "./read-form.ts";
import type { Guard } from "./sign-in-limit.ts";

const longestEmail = 254;

/** The development provider on our own address, and its page where a person says who to be. */
export function serveDevelopmentProvider(
  app: FastifyInstance,
  needs: {
    readonly provider: DevelopmentProvider;
    readonly baseUrl: () => string;
    /** Whether requests come to the address that users see, with no proxy between. */
    readonly direct: boolean;
    readonly guard: Guard;
    /** Gives a request its content type back, which the door hides from the framework. */
    readonly showContentType: (request: FastifyRequest["raw"]) => void;
  },
): void {
  const { provider, baseUrl, direct, guard, showContentType } = needs;

  /** Another site may let its own name lead here, and would then be the same site to the browser. */
  const meantForOthers = (request: FastifyRequest): boolean =>
    direct && request.headers.host !== new URL(baseUrl()).host;

  const refuseOthers = (reply: FastifyReply): FastifyReply =>
    send(
      reply,
      421,
      messagePage("Wrong address", `This service is at ${baseUrl()}.`, { href: baseUrl(), label: "Go there" }),
    );

  app.all(`${providerPath}/*`, async (request, reply) => {
    if (meantForOthers(request)) return refuseOthers(reply);
    showContentType(request.raw);
    await provider.answer(request, reply);
    return reply;
  });

  app.get(
    `${personPath}/:uid`,
    guard(async (request, reply) => {
      if (meantForOthers(request)) return refuseOthers(reply);
      const asks = await provider.asks(request, reply);
      return send(reply, asks ? 200 : 400, asks ? personPage(developmentPerson) : expiredPage);
    }),
  );

  app.post(
    `${personPath}/:uid`,
    guard(async (request, reply) => {
      if (meantForOthers(request)) return refuseOthers(reply);
      refuseCrossSite(request, baseUrl());
      const email = ((await readForm(request))?.get("email") ?? "").trim().toLowerCase();
      if (!(await provider.asks(request, reply))) return send(reply, 400, expiredPage);
      if (email.length > longestEmail || !/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email))
        return send(
          reply,
          400,
          personPage(email.slice(0, longestEmail), "Enter an email address such as name@example.com."),
        );
      return reply.redirect(await provider.accept(email, request, reply), 303);
    }),
  );
}

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
