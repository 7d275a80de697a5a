import type { AdminCommandName, AdminOutput, KeyView } from "./admin-commands.ts";

type Texts = { readonly [Name in AdminCommandName]: (answer: AdminOutput<Name>) => string };

const texts: Texts = {
  accountCreate: ({ id, email, plan, createdAt }) =>
    [
      ...lines([
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
      : table(
          ["ID", "EMAIL", "PLAN", "CREATED"],
          accounts.map(({ id, email, plan, createdAt }) => [id, email, plan, moment(createdAt)]),
        ),
  keyCreate: ({ id, accountId, name, slot, key }) =>
    [
      ...lines([
        ["Key", id],
        ["Account", accountId],
        ["Name", name],
        ["Slot", String(slot)],
      ]),
      "",
      "This is the key. It is shown only once, and kept only as a hash:",
      "",
      key,
    ].join("\n"),
  keyList: ({ keys }) =>
    keys.length === 0
      ? "No keys yet; key create makes one."
      : table(
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
      ...lines([
        ["Handle", `@${handle}`],
        ["Reels", String(reelsAnalyzed)],
        ["Created", moment(createdAt)],
      ]),
      "",
      id,
    ].join("\n"),
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

const state = ({ revokedAt }: KeyView): string => (revokedAt === null ? "live" : `revoked ${revokedAt.slice(0, 10)}`);

const moment = (time: string | null): string =>
  time === null ? "never" : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

const lines = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([label, value]) => `${label.padEnd(7)}  ${value}`);

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
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
