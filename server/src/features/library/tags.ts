import { mostTaggedBySearch, ServiceError, tagLimits } from "@reelscript/contract";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Scripts, Tags } from "../../ports.ts";
import { searchTermsOf } from "../../search/search-terms.ts";
import { type ScriptFilter, searchOf } from "./search-my-scripts.ts";

const most = tagLimits.perAccount;

interface TagNeeds {
  readonly tags: Tags;
  readonly scripts: Scripts;
}

export const tagHandlers = ({ tags, scripts }: TagNeeds) =>
  ({
    listTags: async ({ caller }) => ({ tags: await tags.list(caller.account.id), limit: most }),

    setScriptTags: async ({ input: { id, tags: names }, caller }) => {
      const set = await tags.set(caller.account.id, id, names, most);
      if (set === "noScript") throw noSuchScript();
      if (set === "full") throw tooMany();
      return { id, tags: set };
    },

    tagScripts: async ({ input: { ids, search, add, remove }, caller }) => {
      const scriptIds = ids ?? (await idsOf(scripts, caller.account.id, { ...search, sort: "date" }));
      const changed = await tags.change(caller.account.id, scriptIds, { add, remove, most });
      if (changed === "full") throw tooMany();
      const existing = new Set(changed);
      const unknownIds = [...new Set(ids)].filter((id) => !existing.has(id));
      return { scripts: existing.size, ...(unknownIds.length > 0 && { unknownIds }) };
    },
  }) satisfies Partial<Handlers>;

/** Throws `invalidRequest` when a search finds more than may be tagged together, or its query has nothing to search for. */
async function idsOf(scripts: Scripts, accountId: string, filter: ScriptFilter): Promise<readonly string[]> {
  // A list shows the whole library then, which nobody means to tag.
  if (filter.query !== undefined && searchTermsOf(filter.query).length === 0)
    throw new ServiceError(
      "invalidRequest",
      "`query`: has no word to search for, so it would match the whole library. Nothing was changed.",
    );
  const { ids, hasMore } = await scripts.findIds(accountId, { ...searchOf(filter), limit: mostTaggedBySearch });
  if (!hasMore) return ids;
  throw new ServiceError(
    "invalidRequest",
    `The search finds more than ${mostTaggedBySearch.toLocaleString("en-US")} scripts, the most that can be tagged together. Nothing was changed. Add a filter, such as \`account\` or dates.`,
  );
}

const tooMany = (): ServiceError =>
  new ServiceError(
    "limitReached",
    `Your scripts have ${most} different tags, the maximum; deleted scripts count. Take a tag from all of them, then add this one.`,
    { reason: "tagsUsed" },
  );
