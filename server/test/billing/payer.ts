import { expect } from "vitest";
import type { Allowance } from "../../src/ports.ts";
import { allowanceOf, type QuotaScope } from "../../src/rules/allowance.ts";
import { aReel, ask, mustClaim, transcriptOf, unique } from "../database/conformance/fixtures.ts";
import { rest } from "../harness/rest.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import type { TestService } from "../harness/start-test-service.ts";

export interface Payer extends SignedIn {
  /** In slot 1. */
  readonly key: string;
  /** Goes to the pay page and returns its address. */
  checkout(plan: "hobby" | "creator"): Promise<string>;
  /** Pays for a plan from Free. */
  pay(plan: "hobby" | "creator"): Promise<void>;
  /** Presses a button of the subscription in the portal, or lets time do its part. */
  manage(action: string): Promise<void>;
  /** Plan, use and limit of transcriptions as the key sees them. */
  usage(): Promise<{ plan: string; used: number; limit: number; resetsAt: string | null; posts: number }>;
  /** Has a number of fresh reels transcribed with the key. */
  use(units: number): Promise<void>;
  /** Asks for a fresh reel; the answer has it transcribed. */
  hold(): Promise<() => Promise<void>>;
}

export const day = 86_400_000;

/** Whole days until then, by the service's clock. */
export const daysFromNow = ({ clock }: TestService, moment: string | null): number =>
  Math.round((new Date(moment ?? 0).getTime() - clock.now().getTime()) / day);

/** Presses a button of the local checkout's page; where it leads. */
export async function press(page: string, action: string): Promise<string> {
  const answer = await fetch(`${page}/${action}`, { method: "POST", redirect: "manual" });
  expect(answer.status, await answer.text()).toBe(303);
  return answer.headers.get("location") ?? "";
}

/** Has one unit held for a fresh reel; the answer has it transcribed. Without a worker, which would take it too. */
export async function holdUnit({ store, clock }: TestService, allowance: Allowance): Promise<() => Promise<void>> {
  const outcome = await ask(store, aReel(), allowance, { now: clock.now() });
  expect(outcome).toMatchObject({ kind: "started" });
  return async () => {
    const claim = await mustClaim(store, clock.now());
    const done = await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, clock.now());
    expect(done).toBe(true);
  };
}

/** Somebody who pays at the service's Stripe. */
export async function aPayer(service: TestService, scope: QuotaScope = "key"): Promise<Payer> {
  const { store, clock } = service;
  const stripe = service.stripe ?? expect.fail("the service was started without Stripe");
  const person = await signIn(service, { email: `${unique()}@example.com` });
  const newKey = await person.api("createKey", { name: "laptop" });
  const key: string = newKey.body.secret;
  expect(key).toMatch(/^svc_sk_/);

  const destination = async (name: "startCheckout" | "openBillingPortal", input = {}): Promise<string> => {
    const { status, body } = await person.api(name, input);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.url;
  };
  /** Kept, because a session ends before a test has let a period pass. */
  let portal: string | undefined;
  const hold = async (): Promise<() => Promise<void>> => {
    const account = await store.accounts.find(person.accountId);
    return holdUnit(service, allowanceOf(account!, 1, scope, clock.now()));
  };
  return {
    ...person,
    key,
    checkout: async (plan) => destination("startCheckout", { plan }),
    async pay(plan) {
      expect(await stripe.press(await destination("startCheckout", { plan }), "pay")).toBe(
        `${service.url}/app/usage?checkout=done`,
      );
    },
    async manage(action) {
      portal ??= await destination("openBillingPortal");
      await stripe.press(portal, action);
    },
    async usage() {
      const { body } = await rest(service.url, "/usage", { key });
      const { used, limit, resetsAt } = body.transcriptions;
      return { plan: body.plan, used, limit, resetsAt, posts: body.posts.used };
    },
    async use(units) {
      for (let unit = 0; unit < units; unit += 1) await (await hold())();
    },
    hold,
  };
}
