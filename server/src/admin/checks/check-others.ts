import { randomUUID } from "node:crypto";
import { request } from "node:http";
import Stripe from "stripe";
import { createStripe } from "../../adapters/billing/create-stripe.ts";
import { createStripePrices, paidPlans } from "../../adapters/billing/stripe-prices.ts";
import { openObjects } from "../../adapters/objects/open-objects.ts";
import { publicPlatforms } from "../../adapters/platforms/platforms.ts";
import { mailerOf } from "../../start/invite.ts";
import type { ServicePart } from "../../ports.ts";
import { causeOf, patienceMilliseconds, type Check } from "./check.ts";

/** Writes an object, reads it and removes it. */
export const checkStorage: Check = async ({ config: { objectStorage, dataDirectory } }) => {
  const objects = openObjects(objectStorage, dataDirectory, () => undefined);
  const subject = "storage";
  if (objects === undefined) return [];
  const name = `check/${randomUUID()}`;
  const bytes = Buffer.from(name);
  try {
    await objects.put(name, bytes, "application/octet-stream");
    const read = await objects.get(name);
    await objects.remove(name);
    if (read !== undefined && bytes.equals(read))
      return [{ subject, state: "ok", text: "An object was put, read and removed." }];
    return [{ subject, state: "wrong", text: "It returned other bytes than were stored. Use another storage." }];
  } catch (error) {
    // A storage that refuses answers with an error; for one that can't be reached, the error has a network error as its cause.
    const isAway = error instanceof Error && error.cause !== undefined && objectStorage.kind === "s3";
    const remedy = isAway
      ? "Check S3_ENDPOINT."
      : "The key needs to read, write and delete in the bucket; see S3_BUCKET.";
    return [{ subject, state: isAway ? "away" : "wrong", text: `${causeOf(error)} ${remedy}` }];
  }
};

/** Reads the identity provider's metadata. */
export const checkProvider: Check = async ({ config: { signIn, production, role } }) => {
  const subject = "sign-in";
  if (role === "worker") return [];
  if (signIn.kind === "development")
    return production ? [] : [{ subject, state: "ok", text: "The sign-in for development." }];
  if (signIn.kind === "password")
    return [{ subject, state: "ok", text: "People sign in by password; account invite prints links to set one." }];
  const { issuer } = signIn;
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patienceMilliseconds) });
    if (response.status >= 500) return [{ subject, state: "away", text: `The provider answers ${response.status}.` }];
    const metadata = response.ok ? ((await response.json()) as { readonly issuer?: unknown }) : {};
    if (metadata.issuer === issuer) return [{ subject, state: "ok", text: `${issuer} answers.` }];
    const text = `${address} doesn't name the issuer ${issuer}. Set OIDC_ISSUER to the issuer that the provider names.`;
    return [{ subject, state: "wrong", text }];
  } catch (error) {
    return [{ subject, state: "away", text: `${issuer} doesn't answer: ${causeOf(error)}. Check OIDC_ISSUER.` }];
  }
};

/** Connects and signs in to the mail server. */
export const checkMail: Check = async ({ config }) => {
  const subject = "mail";
  if (config.role === "worker") return [];
  const mailer = mailerOf(config);
  if (config.signIn.kind !== "password")
    return mailer ? [{ subject, state: "note", text: "Only AUTH=password sends mail. Unset SMTP_URL." }] : [];
  if (mailer === undefined)
    return [{ subject, state: "ok", text: "None is sent (SMTP_URL); invitations are links to send by hand." }];
  try {
    await mailer.verify();
    return [{ subject, state: "ok", text: "The mail server answers and accepts the name and password." }];
  } catch (error) {
    return [
      { subject, state: "away", text: `The mail server refuses or doesn't answer: ${causeOf(error)} Check SMTP_URL.` },
    ];
  }
};

/** Compares the prices at Stripe with the plans, and says whether the key is a test or a live key. */
export const checkBilling: Check = async ({ config: { stripe, signIn, production, role } }) => {
  const subject = "payment";
  if (role === "worker") return [];
  if (stripe === undefined && signIn.kind === "password")
    return [{ subject, state: "ok", text: "Nobody pays; account plan sets plans." }];
  if (stripe === undefined) return production ? [] : [{ subject, state: "ok", text: "The biller for development." }];
  const { secretKey, apiBase } = stripe;
  if (!/^(?:sk|rk)_(?:test|live)_/.test(secretKey))
    return [
      {
        subject,
        state: "wrong",
        text: "STRIPE_SECRET_KEY isn't a secret or restricted key, such as sk_live_…. Replace it.",
      },
    ];
  const isTest = /^\w\w_test_/.test(secretKey);
  const kind: ServicePart =
    production && isTest
      ? { subject, state: "note", text: "It is a test key: no money moves." }
      : { subject, state: "ok", text: isTest ? "A test key." : "A live key." };
  const { priceOf } = createStripePrices(createStripe({ secretKey, apiBase }));
  const prices = await Promise.all(
    paidPlans.map((plan) =>
      priceOf(plan).then(
        (): ServicePart => ({ subject, state: "ok", text: `The price of ${plan} is right.` }),
        (error: unknown): ServicePart => {
          const isAway = error instanceof Stripe.errors.StripeConnectionError;
          const isRefused =
            error instanceof Stripe.errors.StripeAuthenticationError ||
            error instanceof Stripe.errors.StripePermissionError;
          if (isAway)
            return { subject, state: "away", text: "Stripe doesn't answer. Allow this machine to connect to it." };
          const refused = "Stripe refuses the key. Replace STRIPE_SECRET_KEY; it needs to read prices.";
          return { subject, state: "wrong", text: isRefused ? refused : (error as Error).message };
        },
      ),
    ),
  );
  return [kind, ...prices];
};

/** Tries each proxy with a platform. */
export const checkProxies: Check = async ({ config: { platformProxies, platforms } }) => {
  const platform = publicPlatforms.find(({ name }) => platforms.some((one) => one === name));
  if (platform === undefined) return [];
  return Promise.all(
    platformProxies.map(({ url, name }) => askProxy(new URL(url), name, new URL(platform.origin).host)),
  );
};

async function askProxy(proxy: URL, name: string, host: string): Promise<ServicePart> {
  const subject = `proxy ${name}`;
  const [user, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const status = await new Promise<number | Error>((resolve) => {
    const asking = request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: "CONNECT",
      path: `${host}:443`,
      timeout: patienceMilliseconds,
      headers: user ? { "proxy-authorization": `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` } : {},
    });
    asking.once("connect", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    asking.once("response", (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    asking.once("timeout", () => asking.destroy(new Error("no answer in time")));
    asking.once("error", resolve);
    asking.end();
  });
  if (status === 200) return { subject, state: "ok", text: `It leads to ${host}.` };
  if (status instanceof Error) return { subject, state: "away", text: `${status.message}. Check PLATFORM_PROXY.` };
  const text =
    status === 407
      ? "It refuses the name or password. Correct PLATFORM_PROXY."
      : `It answers ${status} for ${host}. Ask its provider, or leave it out of PLATFORM_PROXY.`;
  return [401, 403, 407].includes(status) ? { subject, state: "wrong", text } : { subject, state: "away", text };
}

/** Tries the key of each endpoint. */
export const checkRecognizers: Check = async ({ config: { transcriber, role } }) => {
  if (role === "api") return [];
  const endpoints =
    transcriber.kind === "openai"
      ? [["", transcriber] as const]
      : Object.entries(transcriber.endpoints).map(([language, one]) => [` for ${language}`, one] as const);
  return Promise.all(
    endpoints.map(async ([which, { baseUrl, apiKey }]): Promise<ServicePart> => {
      const subject = `recognizer${which}`;
      try {
        const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
          headers: { authorization: `Bearer ${apiKey}` },
          redirect: "manual",
          signal: AbortSignal.timeout(patienceMilliseconds),
        });
        await response.body?.cancel();
        if (response.status === 401 || response.status === 403)
          return { subject, state: "wrong", text: "The endpoint refuses the key. Replace OPENAI_API_KEY." };
        return response.status >= 500
          ? { subject, state: "away", text: `The endpoint answers ${response.status}.` }
          : { subject, state: "ok", text: "The endpoint answers." };
      } catch (error) {
        return {
          subject,
          state: "away",
          text: `The endpoint doesn't answer: ${causeOf(error)}. Check OPENAI_BASE_URL.`,
        };
      }
    }),
  );
};
