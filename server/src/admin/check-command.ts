import type { Finding } from "./checks/finding.ts";
import { alignedTable, localCommand } from "./command.ts";

interface Checked {
  readonly findings: readonly Finding[];
}

/** Tests everything that a service with these settings depends on, before callers do. */
export const checkCommand = localCommand({
  words: "check",
  summary: "Check settings, database, storage, sign-in, payment, disk and proxies; exit code 1 when one is wrong",
  fields: {},
  example: "check",
  async run(_input, access): Promise<Checked> {
    // Loaded on demand, because its libraries are large.
    const { checkDatabase } = await import("./checks/check-database.ts");
    const machine = await import("./checks/check-machine.ts");
    const others = await import("./checks/check-others.ts");
    const checks = [
      machine.checkSettings,
      checkDatabase,
      machine.checkDisk,
      others.checkStorage,
      others.checkProvider,
      others.checkBilling,
      machine.checkYtDlp,
      machine.checkVideos,
      others.checkProxies,
      others.checkRecognizers,
    ];
    return { findings: (await Promise.all(checks.map((check) => check(access)))).flat() };
  },
  text: ({ findings }) =>
    alignedTable(
      ["STATE", "WHAT", "FOUND"],
      findings.map(({ state, subject, text }) => [state, subject, text]),
    ),
  // A running service waits for its dependencies, because they may be back a moment later.
  hasFailed: ({ findings }) => findings.some(({ state }) => state === "wrong"),
});
