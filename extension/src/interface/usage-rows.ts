import type { Usage } from "@reelscript/contract";
import { meter } from "./controls.ts";
import { element } from "./element.ts";
import { exactNumber } from "./format.ts";

export function usageRows({ transcriptions, posts }: Usage): Node[] {
  return [
    ...row("Transcriptions", transcriptions.used, transcriptions.limit),
    ...(posts?.used === undefined ? [] : row("Posts analyzed", posts.used, posts.limit ?? null)),
  ];
}

function row(label: string, used: number, limit: number | null): Node[] {
  const figures = limit === null ? exactNumber(used) : `${exactNumber(used)} of ${exactNumber(limit)}`;
  const line = element(
    "span",
    { class: "row" },
    element("span", {}, label),
    element("b", { class: "at-end" }, figures),
  );
  if (limit === null) return [line];
  const bar = meter(label);
  bar.set(used / limit);
  return [line, bar.node];
}
