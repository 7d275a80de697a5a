import type { BioAnalytics } from "@reelscript/contract";
import { exactNumber } from "../../format/number.ts";

const names: Readonly<Record<keyof BioAnalytics["definitions"], string>> = {
  day: "Day",
  views: "Views",
  clicks: "Clicks",
  clickRate: "Clicks per view",
  dailyUniqueVisitors: "Daily visitors",
  dailyUniqueClickers: "Who clicked",
  visitorClickRate: "Visitors who click",
  countedSince: "Not counted yet",
  previous: "Before",
  share: "Share",
  referrers: "Came from",
  countries: "Countries",
  devices: "Devices",
  excluded: "Excluded traffic",
};

/** What is in the figures, and what was left out of them. */
export function HowCounted({ excluded, definitions }: Pick<BioAnalytics, "excluded" | "definitions">) {
  const left = [
    ["Bots", excluded.bots, "programs, crawlers, link previews"],
    ["Prefetches", excluded.prefetch, "loaded before a visit"],
    ["Your own visits", excluded.owner, "while you’re signed in"],
    ["Traffic spikes", excluded.floods, "too many visits from one network"],
  ] as const;
  return (
    <section className="card stack tight" aria-labelledby="left-out">
      <div>
        <h2 id="left-out">Excluded traffic</h2>
        <p className="meta">Requests not included in the figures above.</p>
      </div>
      <dl className="left-out">
        {left.map(([name, count, what]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{exactNumber(count)}</b>
              <small className="meta">{what}</small>
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>How this is counted</summary>
        <dl className="definitions">
          {(Object.keys(names) as (keyof typeof names)[]).map((key) => (
            <div key={key}>
              <dt>{names[key]}</dt>
              <dd>{definitions[key]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
