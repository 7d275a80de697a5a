import { type Key, reportSentences, type CompetitorReport, type AllOperations } from "@reelscript/contract";
import { beginningOf } from "@reelscript/contract/values";
import type { Account, ApiKey, Report, ShareLink } from "../ports.ts";

/** An account as the person whose it is may see it. */
export const describeAccount = ({ id, email, name, plan, createdAt }: Account) => ({
  id,
  email,
  name,
  plan,
  createdAt: createdAt.toISOString(),
});

/** A key as its owner sees it. */
export const describeKey = ({ id, name, lastFour, createdAt, lastUsedAt, expiresAt, readOnly }: ApiKey): Key => ({
  id,
  name,
  lastFour,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  readOnly,
});

/** A report as its owner sees it. */
export const describeReport = ({ findings, createdAt, ...report }: Report): CompetitorReport => ({
  ...report,
  createdAt: createdAt.toISOString(),
  ...findings,
  insights: findings.insights ?? reportSentences(report.reelsAnalyzed, findings.comparisons ?? []),
});

type Described = AllOperations["createShareLink"]["output"]["_zod"]["output"]["link"];

export function describeShareLink({ id, token, createdAt, script }: ShareLink, baseUrl: string): Described {
  const { reel, text, language } = script.transcript;
  return {
    id,
    url: `${baseUrl}/s/${token}`,
    scriptId: script.id,
    ...(reel.author.handle !== null && { account: reel.author.handle }),
    beginning: beginningOf(text),
    language,
    createdAt: createdAt.toISOString(),
  };
}
