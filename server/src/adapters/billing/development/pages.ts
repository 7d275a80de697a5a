import { plans } from "@reelscript/contract";
import { markup, type Markup } from "../../../markup.ts";
import { paidPlans } from "../stripe-prices.ts";
import { balanceOf, dueOf, priceOfChange } from "./bookkeeping.ts";
import type { DevelopmentCheckout, DevelopmentPortal, DevelopmentSubscription, Ledger } from "./ledger.ts";
import { pageOf } from "./page-frame.ts";

const dollars = (cents: number): string => `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`;

const day = (seconds: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    seconds * 1_000,
  );

const button = (path: string, action: string, name: string, look = "quiet"): Markup =>
  markup`<form method="post" action="${path}/${action}"><button class="${look}">${name}</button></form>`;

export function payPage(checkout: DevelopmentCheckout, path: string): string {
  const { name, dollarsPerMonth, transcriptions, posts } = plans[checkout.plan];
  if (checkout.subscriptionId !== null)
    return pageOf(
      "Paid",
      markup`<section class="sheet">
        <h1>This is paid</h1>
        <p class="subtitle">${name} is yours.</p>
        <div class="actions"><a class="button-link" href="${checkout.successUrl}">Go back</a></div>
      </section>`,
    );
  return pageOf(
    `Pay for ${name}`,
    markup`<section class="sheet">
      <h1>${name}</h1>
      <p class="price">$${dollarsPerMonth} <small>a month</small></p>
      <p class="subtitle">
        ${transcriptions.toLocaleString("en")} transcriptions and
        ${posts === null ? "unlimited" : posts.toLocaleString("en")} posts analyzed a month.
      </p>
      ${checkout.declined && markup`<p class="note" role="alert">The card was declined. You weren't charged. Your plan hasn't changed.</p>`}
      <dl>
        ${
          checkout.email !== "" &&
          markup`<dt>Account</dt>
            <dd><bdi>${checkout.email}</bdi></dd>`
        }
        <dt>Card</dt>
        <dd>a development card, as good as you say</dd>
        <dt>Due today</dt>
        <dd>$${dollarsPerMonth}</dd>
      </dl>
      <div class="actions">
        ${button(path, "pay", `Pay $${dollarsPerMonth}`, "")}${button(path, "decline", "Decline the card")}
      </div>
      <p><a href="${checkout.cancelUrl}">Back without paying</a></p>
    </section>`,
  );
}

export function confirmPage(
  ledger: Ledger,
  subscription: DevelopmentSubscription,
  { change, notice, returnUrl }: DevelopmentPortal,
  path: string,
  now: number,
): string {
  const plan = change?.plan ?? subscription.plan;
  const changes = plan !== subscription.plan;
  const { month, unused, total } = priceOfChange(subscription, plan, now);
  const credit = -balanceOf(ledger, subscription);
  const left = credit - total;
  const { name, dollarsPerMonth } = plans[plan];
  return pageOf(
    `Change to ${name}`,
    markup`<section class="sheet">
      <h1>Change to ${name}</h1>
      <p class="price">$${dollarsPerMonth} <small>a month</small></p>
      ${notice !== null && markup`<p class="note" role="alert">${notice}</p>`}
      <dl>
        ${
          changes &&
          markup`<dt>Today</dt>
            <dd>
              ${`${dollars(month)} minus ${dollars(unused)} unused ${plans[subscription.plan].name} credit`}
            </dd>
            ${
              credit > 0 &&
              markup`<dt>Your credit</dt>
                <dd>${dollars(credit)}</dd>`
            }
            <dt>${left > 0 ? "Credit for later" : "Due today"}</dt>
            <dd>${dollars(Math.abs(left))}</dd>`
        }
        <dt>Then, every month</dt>
        <dd>$${dollarsPerMonth}</dd>
      </dl>
      <div class="actions">${button(path, "confirm", `Change to ${name}`, "")}</div>
      <p><a href="${returnUrl}">Back without changing</a></p>
    </section>`,
  );
}

export function portalPage(
  ledger: Ledger,
  subscriptions: readonly DevelopmentSubscription[],
  { customerId, notice, returnUrl }: DevelopmentPortal,
  path: string,
): string {
  const invoices = ledger.invoices.filter((invoice) => invoice.customerId === customerId).toReversed();
  return pageOf(
    "Invoices and plan",
    markup`<h1>Invoices and plan</h1>
      ${notice !== null && markup`<p class="note" role="alert">${notice}</p>`}
      ${subscriptions.map((subscription) => subscriptionCard(subscription, path))}
      <section class="sheet">
        <h2>Invoices</h2>
        <table>
          <thead>
            <tr>
              <th>Day</th>
              <th>For</th>
              <th>State</th>
              <th>Paid</th>
            </tr>
          </thead>
          <tbody>
            ${invoices.map(
              (invoice) =>
                markup`<tr>
                  <td>${day(invoice.created)}</td>
                  <td>${plans[invoice.plan].name}${invoice.reason === "subscription_update" && ", change"}</td>
                  <td>${invoice.status}</td>
                  <td>${dollars(invoice.status === "paid" ? dueOf(invoice) : 0)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>
      <p><a href="${returnUrl}">Back to Reelscript</a></p>`,
  );
}

const states = {
  active: { name: "Paid", look: "ok" },
  past_due: { name: "Payment failed", look: "bad" },
  canceled: { name: "Ended", look: "" },
};

function subscriptionCard(subscription: DevelopmentSubscription, path: string): Markup {
  const { id, plan, status, periodEnd, cancelAtPeriodEnd, failsNext } = subscription;
  const own = `${path}/${id}`;
  const state = cancelAtPeriodEnd && status === "active" ? { name: "Ends", look: "warn" } : states[status];
  const actions =
    status === "canceled"
      ? []
      : [
          ...(status === "past_due" ? [button(own, "pay-open", "Pay what is open", "")] : []),
          ...(status === "active"
            ? paidPlans.filter((one) => one !== plan).map((one) => button(own, one, `Change to ${plans[one].name}`, ""))
            : []),
          cancelAtPeriodEnd
            ? button(own, "resume", "Keep the plan")
            : button(own, "cancel", "Cancel at the end of the period"),
          button(own, "renew", "Let the period end"),
          ...(failsNext ? [] : [button(own, "fail-next", "Simulate a failed payment")]),
          button(own, "cancel-now", "Cancel now", "danger"),
        ];
  return markup`<section class="sheet">
    <div class="head">
      <h2>${plans[plan].name}, $${plans[plan].dollarsPerMonth} a month</h2>
      <span class="chip ${state.look}">${state.name}</span>
    </div>
    <dl>
      <dt>${cancelAtPeriodEnd ? "Ends" : "Next payment"}</dt>
      <dd>${status === "canceled" ? "–" : day(periodEnd)}</dd>
      ${
        failsNext &&
        markup`<dt>Next payment</dt>
          <dd>will fail</dd>`
      }
    </dl>
    <div class="actions">${actions}</div>
  </section>`;
}

export const lostPage = (): string =>
  pageOf(
    "Not found",
    markup`<section class="sheet">
      <h1>Page not found</h1>
      <p class="subtitle">Go back to Usage and plan, and begin again.</p>
    </section>`,
  );
