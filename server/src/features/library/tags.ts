import { ServiceError, tagLimits } from "@reelscript/contract";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Tags } from "../../ports.ts";

const most = tagLimits.perAccount;

interface TagNeeds {
  readonly tags: Tags;
}

export const tagHandlers = ({ tags }: TagNeeds) =>
  ({
    listTags: async ({ caller }) => ({ tags: await tags.list(caller.account.id), limit: most }),

    setScriptTags: async ({ input: { id, tags: names }, caller }) => {
      const set = await tags.set(caller.account.id, id, names, most);
      if (set === "noScript") throw noSuchScript();
      if (set === "full") throw tooMany();
      return { id, tags: set };
    },

    tagScripts: async ({ input: { ids, add, remove }, caller }) => {
      const scripts = await tags.change(caller.account.id, ids, { add, remove, most });
      if (scripts === "full") throw tooMany();
      return { scripts };
    },
  }) satisfies Partial<Handlers>;

const tooMany = (): ServiceError =>
  new ServiceError(
    "limitReached",
    `Your scripts have ${most} different tags, the maximum; deleted scripts count. Take a tag from all of them, then add this one.`,
    { reason: "tagsUsed" },
  );
