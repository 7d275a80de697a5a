import type { Scripts } from "../../ports.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { Handler } from "../../run/run.ts";

export const listScriptReels =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"listScriptReels"> =>
  async ({ input: { cursor, limit }, caller }) => {
    const scope = ["script-reels", caller.account.id];
    const after = readCursor(scope, cursor)?.number ?? 0;
    const { position, ...found } = await scripts.listReels(caller.account.id, after, limit);
    return { ...found, scripts: [...found.scripts], cursor: writeCursor(scope, { sortedBy: null, number: position }) };
  };
