import { plans } from "@reelscript/contract";
import { withTokens } from "@reelscript/contract/values";
import { brandMark, markup, styleMarkup, type Markup } from "../../../markup.ts";
import { scriptlessPolicy } from "../../../scriptless-policy.ts";
import { paidPlans } from "../stripe-prices.ts";
import { balanceOf, priceOfChange } from "./bookkeeping.ts";
import type { DevelopmentCheckout, DevelopmentPortal, DevelopmentSubscription, Ledger } from "./ledger.ts";
import { dueOf } from "./stripe-shapes.ts";

const pageStyle = withTokens(`
@font-face{font-family:"Instrument Sans";src:url(/docs/sans-latin.woff2) format("woff2");font-weight:400 700;font-display:swap}
@font-face{font-family:"Instrument Sans Condensed";src:url(/docs/title-latin.woff2) format("woff2");font-weight:640;font-display:swap}
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--ink);font:400 .875rem/1.5 "Instrument Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{width:min(560px,100%);margin-inline:auto;padding:40px 16px 72px;display:grid;gap:20px}
.brand{display:flex;align-items:center;gap:9px;font:640 1.3rem/1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif}
.brand .chip{margin-inline-start:auto}
.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:18px;padding:28px;display:grid;gap:20px}
h1{font:640 1.75rem/1.1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;margin:0;text-wrap:balance}
h2{font:640 1.125rem/1.25 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;margin:0}
p,dl,dd{margin:0}
.price{font:640 2.5rem/1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif}.price small{font:400 .875rem/1 "Instrument Sans",system-ui,sans-serif;color:var(--ink-2)}
.subtitle{color:var(--ink-2);text-wrap:pretty}.hint{color:var(--ink-3);font-size:.8125rem;text-wrap:pretty}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:8px 20px}dt{color:var(--ink-2)}dd{text-align:end;overflow-wrap:anywhere}
form{margin:0}.actions{display:flex;flex-wrap:wrap;gap:8px}
button,.button-link{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:0 18px;border:1px solid transparent;border-radius:8px;background:var(--act);color:var(--on-act);font:600 .875rem/1 "Instrument Sans",system-ui,sans-serif;text-decoration:none;cursor:pointer}
button:hover,.button-link:hover{background:var(--act-hover)}button:active{transform:translateY(1px)}
.quiet{background:var(--raise);color:var(--ink);border-color:var(--line-2)}.quiet:hover{background:var(--wash-2)}
.danger{background:none;color:var(--bad);border-color:var(--line-2)}.danger:hover{background:var(--bad-soft)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.chip{display:inline-block;padding:2px 8px;border-radius:99px;background:var(--wash-2);color:var(--ink-2);font:500 .75rem/1.5 "Instrument Sans",system-ui,sans-serif;white-space:nowrap}
.chip.ok{background:var(--ok-soft);color:var(--ok)}.chip.bad{background:var(--bad-soft);color:var(--bad)}.chip.warn{background:var(--warn-soft);color:var(--warn)}
.note{padding:12px 14px;border-radius:8px;background:var(--bad-soft);color:var(--ink)}
.head{display:flex;align-items:center;gap:12px;flex-wrap:wrap}.head .chip{margin-inline-start:auto}
a{color:inherit;text-underline-offset:.2em}
@media(max-width:480px){.sheet{padding:20px}.actions form,.actions button{width:100%}}
`);

/** Headers of every page: our own style and fonts, no scripts, no framing. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(pageStyle, { "form-action": "'self'", "img-src": "'self'" }),
  "referrer-policy": "same-origin",
};

const pageOf = (title: string, content: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/app/mark.svg" type="image/svg+xml">
<style>${styleMarkup(pageStyle)}</style>
</head>
<body>
<main>
<div class="brand">${brandMark("var(--base)")}Reelscript<span class="chip">Development biller</span></div>
${content}
<p class="hint">Test checkout. No money moves.</p>
</main>
</body>
</html>
`.toString();

const sheet = (title: string, content: Markup): string =>
  pageOf(title, markup`<section class="sheet"><h1>${title}</h1>${content}</section>`);

/** Terms with what is said of each; what is null is left out. */
const facts = (all: readonly (readonly [term: string, said: Markup | string] | null)[]): Markup =>
  markup`<dl>${all.map((one) => one && markup`<dt>${one[0]}</dt><dd>${one[1]}</dd>`)}</dl>`;

const alert = (notice: string | null): Markup =>
  markup`${notice !== null && markup`<p class="note" role="alert">${notice}</p>`}`;

const button = (path: string, action: string, name: string, look = "quiet"): Markup =>
  markup`<form method="post" action="${path}/${action}"><button class="${look}">${name}</button></form>`;

const priceAMonth = (dollars: number): Markup => markup`<p class="price">$${dollars} <small>a month</small></p>`;

const dollars = (cents: number): string => `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`;

const day = (seconds: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    seconds * 1_000,
  );

export const declined = "The card was declined. You weren’t charged. Your plan hasn’t changed.";

export function payPage(checkout: DevelopmentCheckout, path: string): string {
  const { name, dollarsPerMonth, transcriptions, posts } = plans[checkout.plan];
  if (checkout.subscriptionId !== null)
    return sheet(
      "Payment received",
      markup`<p class="subtitle">You’re on the ${name} plan.</p>
        <div class="actions"><a class="button-link" href="${checkout.successUrl}">Go back</a></div>`,
    );
  return sheet(
    name,
    markup`${priceAMonth(dollarsPerMonth)}
      <p class="subtitle">
        ${transcriptions.toLocaleString("en")} transcriptions and
        ${posts === null ? "unlimited" : posts.toLocaleString("en")} posts analyzed a month.
      </p>
      ${alert(checkout.declined ? declined : null)}
      ${facts([
        checkout.email === "" ? null : ["Account", markup`<bdi>${checkout.email}</bdi>`],
        ["Card", "Test card"],
        ["Due today", `$${dollarsPerMonth}`],
      ])}
      <div class="actions">
        ${button(path, "pay", `Pay $${dollarsPerMonth}`, "")}${button(path, "decline", "Decline card")}
      </div>
      <p><a href="${checkout.cancelUrl}">Cancel and go back</a></p>`,
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
  return sheet(
    `Change to ${name}`,
    markup`${priceAMonth(dollarsPerMonth)} ${alert(notice)}
      ${facts([
        changes
          ? ["Today", `${dollars(month)} minus ${dollars(unused)} unused ${plans[subscription.plan].name} credit`]
          : null,
        changes && credit > 0 ? ["Your credit", dollars(credit)] : null,
        changes ? [left > 0 ? "Credit for later" : "Due today", dollars(Math.abs(left))] : null,
        ["Then monthly", `$${dollarsPerMonth}`],
      ])}
      <div class="actions">${button(path, "confirm", `Change to ${name}`, "")}</div>
      <p><a href="${returnUrl}">Keep current plan</a></p>`,
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
      ${alert(notice)} ${subscriptions.map((subscription) => subscriptionCard(subscription, path))}
      <section class="sheet">
        <h2>Invoices</h2>
        ${facts(
          invoices.map((invoice) => [
            `${day(invoice.created)}, ${plans[invoice.plan].name}${invoice.reason === "subscription_update" ? ", change" : ""}`,
            invoice.status === "paid" ? `${dollars(dueOf(invoice))} paid` : invoice.status,
          ]),
        )}
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
          ...(status === "past_due" ? [button(own, "pay-open", "Pay open invoice", "")] : []),
          ...(status === "active"
            ? paidPlans.filter((one) => one !== plan).map((one) => button(own, one, `Change to ${plans[one].name}`, ""))
            : []),
          cancelAtPeriodEnd ? button(own, "resume", "Keep plan") : button(own, "cancel", "Cancel at period end"),
          button(own, "renew", "Simulate renewal"),
          ...(failsNext ? [] : [button(own, "fail-next", "Simulate a failed payment")]),
          button(own, "cancel-now", "Cancel now", "danger"),
        ];
  return markup`<section class="sheet">
    <div class="head">
      <h2>${plans[plan].name}, $${plans[plan].dollarsPerMonth} a month</h2>
      <span class="chip ${state.look}">${state.name}</span>
    </div>
    ${facts([
      [cancelAtPeriodEnd ? "Ends" : "Next payment", status === "canceled" ? "–" : day(periodEnd)],
      failsNext ? ["Next payment", "will fail"] : null,
    ])}
    <div class="actions">${actions}</div>
  </section>`;
}

export const lostPage = (): string =>
  sheet("Page not found", markup`<p class="subtitle">Go back to Usage and plan and start again.</p>`);
