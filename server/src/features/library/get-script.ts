import type { RecognizerVersion, Scripts } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";
import { describeFullScript } from "../../describe/describe-full-script.ts";

export const getScript =
  ({
    scripts,
    recognizer,
  }: {
    readonly scripts: Scripts;
    readonly recognizer: RecognizerVersion;
  }): Handler<"getScript"> =>
  async ({ input: { id, words }, caller }) => {
    const found = await scripts.find(caller.account.id, id, { words });
    if (found === undefined) throw noSuchScript();
    return describeFullScript(found, recognizer);
  };
