import type { BioPage, CompetitorReport, FullScript } from "@reelscript/contract";
import type {
  ApiKey,
  BioPages,
  Clock,
  Keys,
  ListPosition,
  Report,
  Reports,
  ScriptRow,
  Scripts,
  StoredBioPage,
} from "../../ports.ts";
import { describeAccount } from "../../describe-account.ts";
import type { Handler } from "../../run.ts";

interface Needs {
  readonly keys: Keys;
  readonly scripts: Scripts;
  readonly reports: Reports;
  readonly bioPages: BioPages;
  readonly clock: Clock;
  readonly describeScript: (script: ScriptRow) => FullScript;
  readonly describeReport: (report: Report) => CompetitorReport;
  readonly describePage: (page: StoredBioPage) => BioPage;
}

const pageLength = 200;

export const exportAll =
  (needs: Needs): Handler<"exportAccount"> =>
  async ({ caller: { account } }) => ({
    exportedAt: needs.clock.now().toISOString(),
    account: describeAccount(account),
    keys: (await needs.keys.list(account.id)).map(describeKey),
    scripts: await scriptsOf(needs, account.id),
    reports: await reportsOf(needs, account.id),
    bioPage: needs.describePage(await needs.bioPages.read(account.id)),
  });

const describeKey = ({ id, name, lastFour, createdAt, lastUsedAt, revokedAt }: ApiKey) => ({
  id,
  name,
  lastFour,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
});

async function scriptsOf({ scripts, describeScript }: Needs, accountId: string): Promise<FullScript[]> {
  const all: FullScript[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await scripts.search(accountId, { sort: "date", limit: pageLength, after });
    all.push(...page.scripts.map(describeScript));
    after = page.next;
  } while (after !== undefined);
  return all;
}

async function reportsOf({ reports, describeReport }: Needs, accountId: string): Promise<CompetitorReport[]> {
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
