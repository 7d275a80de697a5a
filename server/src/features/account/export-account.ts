import type { ListPosition } from "../../ports.ts";
import { describeBioPage } from "../../describe/describe-bio-page.ts";
import { describeReport } from "../../describe/describe-report.ts";
import { describeFullScript, describeShareLink } from "../../describe/describe-script.ts";
import type { Handler } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";

const pageLength = 50;

export const exportAccount =
  (
    needs: Needs<"keys" | "webhooks" | "scripts" | "shareLinks" | "reports" | "bioPages" | "clock" | "baseUrl">,
  ): Handler<"exportAccount"> =>
  async ({ caller: { account } }) => ({
    exportedAt: needs.clock.now(),
    account,
    keys: await needs.keys.list(account.id),
    webhooks: await needs.webhooks.list(account.id),
    scripts: await everyPage(async (after) => {
      const page = await needs.scripts.search(account.id, { sort: "date", limit: pageLength, after });
      return { ...page, items: page.scripts.map((script) => describeFullScript(script)) };
    }),
    shareLinks: (await needs.shareLinks.list(account.id)).map((link) => describeShareLink(link, needs.baseUrl())),
    reports: await everyPage(async (after) => {
      const page = await needs.reports.list(account.id, { limit: pageLength, after });
      const found = [];
      for (const { id } of page.reports) found.push(await needs.reports.find(account.id, id));
      return { ...page, items: found.flatMap((report) => (report === undefined ? [] : [describeReport(report)])) };
    }),
    bioPage: describeBioPage(await needs.bioPages.read(account.id), needs.baseUrl()),
  });

async function everyPage<Item>(
  read: (after: ListPosition | undefined) => Promise<{ items: readonly Item[]; next?: ListPosition | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await read(after);
    all.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return all;
}
