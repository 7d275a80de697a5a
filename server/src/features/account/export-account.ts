import type { CompetitorReport, FullScript } from "@reelscript/contract";
import type { ListPosition } from "../../ports.ts";
import { describeAccount, describeKey, describeReport, describeShareLink } from "../../describe/describe-account.ts";
import { describeBioPage } from "../../describe/describe-bio-page.ts";
import { describeFullScript } from "../../describe/describe-script.ts";
import { describeWebhook } from "../../describe/describe-webhook.ts";
import type { Handler } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";

const pageLength = 200;

export const exportAccount =
  (
    needs: Needs<"keys" | "webhooks" | "scripts" | "shareLinks" | "reports" | "bioPages" | "clock" | "baseUrl">,
  ): Handler<"exportAccount"> =>
  async ({ caller: { account } }) => ({
    exportedAt: needs.clock.now().toISOString(),
    account: describeAccount(account),
    keys: (await needs.keys.list(account.id)).map((key) => ({
      ...describeKey(key),
      revokedAt: key.revokedAt?.toISOString() ?? null,
    })),
    webhooks: (await needs.webhooks.list(account.id)).map(describeWebhook),
    scripts: await scriptsOf(needs, account.id),
    shareLinks: (await needs.shareLinks.list(account.id)).map((link) => describeShareLink(link, needs.baseUrl())),
    reports: await reportsOf(needs, account.id),
    bioPage: describeBioPage(await needs.bioPages.read(account.id), needs.baseUrl()),
  });

async function scriptsOf({ scripts }: Needs<"scripts">, accountId: string): Promise<FullScript[]> {
  const all: FullScript[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await scripts.search(accountId, { sort: "date", limit: pageLength, after });
    all.push(...page.scripts.map((script) => describeFullScript(script)));
    after = page.next;
  } while (after !== undefined);
  return all;
}

async function reportsOf({ reports }: Needs<"reports">, accountId: string): Promise<CompetitorReport[]> {
  const all: CompetitorReport[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await reports.list(accountId, { limit: pageLength, after });
    for (const { id } of page.reports) {
      const report = await reports.find(accountId, id);
      if (report !== undefined) all.push(describeReport(report));
    }
    after = page.next;
  } while (after !== undefined);
  return all;
}
