import { plans } from "@reelscript/contract";
import { markup } from "../../markup/markup.ts";
import { page, pageHeaders } from "../../markup/page.ts";
import type { LocalPage, PaidPlan } from "../../ports.ts";

/** The only page of the local biller: it shows the price to pay and how to cancel. */
export function checkoutPage({
  path,
  plan,
  backUrl,
  subscription,
}: {
  /** The page's own address, to which its forms post. */
  readonly path: string;
  readonly plan: PaidPlan;
  readonly backUrl: string;
  /** The account's subscription, if it has one. */
  readonly subscription:
    | {
        readonly plan: PaidPlan;
        readonly cancelsAt: Date | null;
        readonly lastPayment: { readonly periodEnd: Date };
      }
    | undefined;
}): LocalPage {
  const { name, dollarsPerMonth } = plans[plan];
  const button = (action: string, label: string, look = "") =>
    markup`<form method="post" action="${path}/${action}"><button class="button ${look}">${label}</button></form>`;
  const present =
    subscription &&
    markup`<p>Your plan is ${plans[subscription.plan].name}. ${
      subscription.cancelsAt === null
        ? `It is paid until ${day(subscription.lastPayment.periodEnd)}.`
        : `It ends on ${day(subscription.cancelsAt)}. Pay to keep it.`
    }</p>`;
  return htmlResponse(
    200,
    page(
      name,
      markup`<p>$${dollarsPerMonth} a month. A payment begins a new month.</p>
${present}
${button("pay", `Pay $${dollarsPerMonth}`)}
${
  subscription === undefined
    ? button("cancel", "Cancel", "quiet")
    : markup`${button("cancel", subscription.cancelsAt === null ? "Cancel plan" : "End plan now", "quiet")}
<p><a href="${backUrl}">Back to Reelscript</a></p>`
}
<p class="hint">Test checkout. No money moves.</p>`,
    ),
  );
}

export const lostPage = (): LocalPage =>
  htmlResponse(404, page("Page not found", markup`<p>Go back to Usage and plan and start again.</p>`));

const htmlResponse = (status: number, html: string): LocalPage => ({ html, status, headers: pageHeaders });

const day = (moment: Date): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(moment);
