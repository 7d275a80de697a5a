import { subtitlesOf } from "@reelscript/contract";
import { describeFullScript } from "../../describe/describe-full-script.ts";
import type { Scripts } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const getScriptSubtitles =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"getScriptSubtitles"> =>
  async ({ input: { id, format }, caller }) => {
    const found = await scripts.find(caller.account.id, id, { words: true });
    if (found === undefined) throw noSuchScript();
    return { text: subtitlesOf(describeFullScript(found), format) };
  };
