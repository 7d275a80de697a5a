import { scriptLengthNames } from "@reelscript/contract";
import type { Scripts } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const countScriptKinds =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"countScriptKinds"> =>
  async ({ caller }) => {
    const kinds = (await scripts.kinds(caller.account.id)) ?? [];
    const count = (isOfKind: (kind: (typeof kinds)[number]) => boolean): number =>
      kinds.filter(isOfKind).reduce((sum, kind) => sum + kind.scripts, 0);
    return {
      languages: [...new Set(kinds.map(({ language }) => language))]
        .map((language) => ({ language, scripts: count((kind) => kind.language === language) }))
        .toSorted((one, other) => other.scripts - one.scripts || (one.language < other.language ? -1 : 1)),
      lengths: scriptLengthNames
        .map((length) => ({ length, scripts: count((kind) => kind.length === length) }))
        .filter(({ scripts: counted }) => counted > 0),
    };
  };
