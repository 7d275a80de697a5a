import { savedSearchLimits, ServiceError } from "@reelscript/contract";
import type { Handlers } from "../../run/handler.ts";
import type { SavedSearches, Clock } from "../../ports.ts";

const most = savedSearchLimits.perAccount;

interface SavedSearchNeeds {
  readonly savedSearches: SavedSearches;
  readonly clock: Clock;
}

export const savedSearchHandlers = ({ savedSearches, clock }: SavedSearchNeeds) =>
  ({
    listSavedSearches: async ({ caller }) => ({ searches: await savedSearches.list(caller.account.id), limit: most }),

    saveSearch: async ({ input: { name, search }, caller }) => {
      const saved = await savedSearches.save({ accountId: caller.account.id, name, search, most, now: clock.now() });
      if (saved === "full")
        throw new ServiceError(
          "limitReached",
          `You already keep ${most} searches, the maximum. Delete one that you don't need, then save this one.`,
          { reason: "savedSearchesUsed" },
        );
      return saved;
    },

    deleteSavedSearch: async ({ input: { id }, caller }) => {
      if (await savedSearches.remove(caller.account.id, id)) return { id };
      throw new ServiceError("notFound", "You have no saved search with this id.");
    },
  }) satisfies Partial<Handlers>;
