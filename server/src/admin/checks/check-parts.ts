import type { CheckNeeds, Finding } from "./finding.ts";

/** Tests everything that a service with these settings depends on. */
export async function checkParts(needs: CheckNeeds): Promise<Finding[]> {
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

/** Milliseconds in which those who look share one test: it asks other machines. */
const freshMilliseconds = 60_000;

/** The tests of a running service, whose settings are right. Any number of callers share one that is at most a minute old. */
export function createCheckParts(needs: Omit<CheckNeeds, "settingProblems">): () => Promise<readonly Finding[]> {
  let shared: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined;
  return () => {
    if (shared === undefined || performance.now() - shared.at > freshMilliseconds)
      shared = {
        at: performance.now(),
        findings: checkParts({ ...needs, settingProblems: [] }).catch((error: unknown): Finding[] => [
          {
            subject: "checks",
            state: "wrong",
            text: `They failed: ${error instanceof Error ? error.message : String(error)}`,
          },
        ]),
      };
    return shared.findings;
  };
}
