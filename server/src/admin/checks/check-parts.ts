import { setTimeout as pause } from "node:timers/promises";
import type { ServicePart } from "../../ports.ts";
import { causeOf, type CheckNeeds } from "./check.ts";

/** Tests everything that a service with these settings depends on. */
export async function checkParts(needs: CheckNeeds): Promise<ServicePart[]> {
  // Loaded on demand, because its libraries are large.
  const { checkDatabase } = await import("./check-database.ts");
  const machine = await import("./check-machine.ts");
  const others = await import("./check-others.ts");
  const checks = [
    machine.checkSettings,
    checkDatabase,
    machine.checkDisk,
    others.checkStorage,
    others.checkProvider,
    others.checkMail,
    others.checkBilling,
    machine.checkYtDlp,
    machine.checkVideos,
    others.checkProxies,
    others.checkRecognizers,
  ];
  return (await Promise.all(checks.map((check) => check(needs)))).flat();
}

/** Milliseconds for which callers share one test, because it asks other machines. */
const freshMilliseconds = 60_000;
/** Milliseconds that a caller waits for a test. */
const patienceOfLook = 2_000;

/**
 * Shares tests among any number of callers. One test runs at a time, and nobody waits for it longer than two seconds: until it
 * ends, callers get the findings of the one before.
 */
export function shareChecks(check: () => Promise<readonly ServicePart[]>): () => Promise<readonly ServicePart[]> {
  let last: { readonly at: number; readonly findings: readonly ServicePart[] } | undefined;
  let running: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    check()
      .catch((error: unknown): ServicePart[] => [
        { subject: "checks", state: "wrong", text: `They failed: ${causeOf(error)}` },
      ])
      .then((findings) => {
        last = { at: performance.now(), findings };
        running = undefined;
      });
  return async () => {
    if (last !== undefined && performance.now() - last.at < freshMilliseconds) return last.findings;
    running ??= begin();
    await Promise.race([running, pause(patienceOfLook, undefined, { ref: false })]);
    return last?.findings ?? [stillAsking];
  };
}

const stillAsking: ServicePart = {
  subject: "checks",
  state: "note",
  text: "Other machines are still being asked. Look again in a moment.",
};

/** The tests of a running service, whose settings are right. */
export const createCheckParts = (needs: Omit<CheckNeeds, "settingProblems">): (() => Promise<readonly ServicePart[]>) =>
  shareChecks(() => checkParts({ ...needs, settingProblems: [] }));
