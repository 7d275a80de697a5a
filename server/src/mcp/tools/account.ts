import type { OutputOf, ToolShape } from "./tool-shape.ts";

export const getMyUsage: ToolShape<OutputOf<"getUsage">> = {
  nulls: { "transcriptions.resetsAt": "never", "posts.limit": "unlimited" },
};

export const getPlans: ToolShape<OutputOf<"getPlans">> = { nulls: { "plans.posts.limit": "unlimited" } };
