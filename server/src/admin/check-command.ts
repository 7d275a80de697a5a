import { checkParts } from "./checks/check-parts.ts";
import type { ServicePart } from "../ports.ts";
import { localCommand, tableOfParts } from "./command.ts";

interface Checked {
  readonly findings: readonly ServicePart[];
}

/** Tests everything that a service with these settings depends on, before callers do. */
export const checkCommand = localCommand({
  words: "check",
  summary: "Check settings, database, storage, sign-in, payment, disk and proxies; exit code 1 when one is wrong",
  fields: {},
  example: "check",
  async run(_input, access): Promise<Checked> {
    return { findings: await checkParts(access) };
  },
  text: ({ findings }) => tableOfParts(findings),
  // A running service waits for its dependencies, because they may be back a moment later.
  hasFailed: ({ findings }) => findings.some(({ state }) => state === "wrong"),
});
