import type { AdminCommandName, AdminOutput, KeyView } from "./admin-commands.ts";

type Texts = { readonly [Name in AdminCommandName]: (answer: AdminOutput<Name>) => string };

const texts: Texts = {
  accountCreate: ({ id, email, plan, createdAt }) =>
    [
      ...labeledLines([
        ["Account", email],
        ["Plan", plan],
        ["Created", moment(createdAt)],
      ]),
      "",
      id,
    ].join("\n"),
  accountList: ({ accounts }) =>
    accounts.length === 0
      ? "No accounts yet; account create makes one."
      : alignedTable(
          ["ID", "EMAIL", "PLAN", "CREATED", ""],
          accounts.map(({ id, email, plan, createdAt, suspendedAt }) => [
            id,
            email,
            plan,
            moment(createdAt),
            suspendedAt === undefined ? "" : "suspended",
          ]),
        ),
  keyCreate: (made) =>
    [
      ...labeledLines([
        ["Key", made.id],
        ["Account", made.accountId],
        ["Name", made.name],
        ["Slot", String(made.slot)],
        ["State", state(made)],
      ]),
      "",
      "This is the key. It is shown only once, and kept only as a hash:",
      "",
      made.key,
    ].join("\n"),
  keyList: ({ keys }) =>
    keys.length === 0
      ? "No keys yet; key create makes one."
      : alignedTable(
          ["ID", "NAME", "KEY", "SLOT", "STATE", "CREATED", "LAST USED"],
          keys.map((key) => [
            key.id,
            key.name,
            `…${key.lastFour}`,
            String(key.slot),
            state(key),
            moment(key.createdAt),
            moment(key.lastUsedAt),
          ]),
        ),
  keyRevoke: ({ id }) => `${id} is revoked and works no more.`,
  reportImport: ({ id, handle, createdAt, reelsAnalyzed }) =>
    [
      ...labeledLines([
        ["Handle", `@${handle}`],
        ["Reels", String(reelsAnalyzed)],
        ["Created", moment(createdAt)],
      ]),
      "",
      id,
    ].join("\n"),
  retranscribeCount: ({ transcripts, model, revision }) =>
    `${counted(transcripts)} can be transcribed again by ${model}, revision ${revision}.`,
  retranscribeStart: (run) =>
    [progress(run), "It runs while the queue is empty; retranscription status shows its progress."].join("\n"),
  retranscribeStatus: ({ run }) =>
    run === null ? "Nothing was transcribed again yet; retranscription start begins." : progress(run),
  retranscribeStop: (run) => [progress(run), "retranscription start continues it."].join("\n"),
  takedownAdd: ({ url, scripts }) =>
    `${url} is taken down. It went from ${scripts === 1 ? "1 library" : `${scripts} libraries`}.\nBackups from before still hold it.`,
  takedownLift: ({ url }) => `${url} may be transcribed again.`,
  accountSuspend: ({ id }) => `${id} is suspended.`,
  accountUnsuspend: ({ id }) => `${id} works again.`,
  pageTakeDown: (page) =>
    `${pageName(page)} is taken down. A cache in front of the service may show it for another minute.`,
  pageRestore: (page) => `${pageName(page)} is online again.`,
  auditList: ({ entries }) =>
    entries.length === 0
      ? "Nothing was taken down and nobody suspended yet."
      : alignedTable(
          ["WHEN", "WHO", "WHAT", "WHOM", "WHY"],
          entries.map(({ at, by, action, subject, reason }) => [moment(at), by, action, subject, reason]),
        ),
  backupCreate: ({ file }) =>
    ["The database is backed up. The last three backups are kept, so copy it elsewhere:", "", file].join("\n"),
  backupRestore: ({ file, before }) =>
    [
      `${file} is restored; start the service.`,
      ...(before === null ? [] : ["The database that was there before is kept in:", "", before]),
    ].join("\n"),
};

/** The answer of a command for people. */
export const adminText = <Name extends AdminCommandName>(name: Name, answer: AdminOutput<Name>): string =>
  texts[name](answer);

const pageName = ({ id, handle }: AdminOutput<"pageRestore">): string =>
  handle === null ? `Page ${id}` : `Page @${handle} (${id})`;

const counted = (transcripts: number): string => `${transcripts} ${transcripts === 1 ? "transcript" : "transcripts"}`;

function progress({ state, revision, total, replaced, kept, failed }: AdminOutput<"retranscribeStart">): string {
  const which = revision === null ? counted(total) : `${counted(total)} of revision ${revision}`;
  return [
    `Retranscription of ${which}: ${state}.`,
    `${replaced + kept + failed} transcribed again: ${replaced} replaced, ${kept} kept as they were, ${failed} failed.`,
  ].join("\n");
}

const state = ({ revokedAt, expiresAt, expired, readOnly }: KeyView): string => {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`;
  const kind = readOnly ? "live, read-only" : "live";
  if (expiresAt === null) return kind;
  return expired ? `expired ${moment(expiresAt)}` : `${kind}, until ${moment(expiresAt)}`;
};

const moment = (time: string | null): string =>
  time === null ? "never" : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** Columns under titles, two spaces apart. */
export function alignedTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [titles, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Values after their labels, which have at most seven letters. */
export const labeledLines = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([label, value]) => `${label.padEnd(7)}  ${value}`);
