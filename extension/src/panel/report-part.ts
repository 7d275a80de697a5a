import type { CompetitorReport } from "@reelscript/contract";
import { element } from "../interface/element.ts";
import { counted, roughNumber, share, shortNumber } from "../interface/format.ts";

/** A report in short; the dashboard has the whole of it. */
export function reportPart(report: CompetitorReport): HTMLElement {
  const { metrics, insights, reelsAnalyzed = 0 } = report;
  const facts: [string, string | undefined][] = [
    ["Typical views", known(metrics.medianViews, shortNumber)],
    ["Typical likes", known(metrics.medianLikes, shortNumber)],
    ["Engagement", known(metrics.avgEngagementRate, share)],
    ["Reels a week", known(metrics.postingFrequencyPerWeek, roughNumber)],
  ];
  return element(
    "div",
    { class: "report" },
    element(
      "p",
      { class: "row" },
      element("span", { class: "chip ok" }, "Report ready"),
      counted(reelsAnalyzed, "reel", "reels"),
    ),
    element(
      "dl",
      { class: "facts" },
      ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value ?? "–"))),
    ),
    element("ul", { class: "takeaways" }, ...insights.slice(0, 4).map((insight) => element("li", {}, insight))),
  );
}

const known = (value: number | undefined, format: (value: number) => string): string | undefined =>
  value === undefined ? undefined : format(value);
