import { clockHours, dayNames, fewestReelsOfHour, heatStep, type KindOfReels } from "@reelscript/contract";
import type { DescribedReport } from "../../describe/report/describe-report.ts";
import { markup, type Markup } from "../../markup/markup.ts";

const hourCount = 24;
const hoursOfLabel = 6;

/** The style of the parts in this file. */
export const figuresStyle = [
  ".heat{display:grid;grid-template-columns:auto repeat(24,minmax(0,1fr));gap:2px;font-size:.75rem;color:var(--ink-2);align-items:center}.heat b{font-weight:400;padding-inline-end:6px}.heat i{height:22px;border-radius:3px;background:var(--heat-0);box-shadow:inset 0 0 0 1px var(--line);print-color-adjust:exact}.heat span{grid-column:span 6}",
  ...[1, 2, 3, 4, 5].map((step) => `.heat .s${step}{background:var(--heat-${step})}`),
  ".report .kinds th{white-space:normal;vertical-align:bottom}.report .kinds :is(th,td):first-child{min-width:10ch}.report .kinds th:first-child{white-space:nowrap}.pairs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:20px 40px;align-items:start}",
  ".heat .few{opacity:.35}.key{display:flex;gap:4px;align-items:center;flex-wrap:wrap}.key i{width:12px;height:12px;border-radius:3px;background:var(--heat-0);box-shadow:inset 0 0 0 1px var(--line);print-color-adjust:exact}",
  ...[1, 2, 3, 4, 5].map((step) => `.key .s${step}{background:var(--heat-${step})}`),
].join("");

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 1.28M, 918K, 412, as the dashboard shows counts. */
export const shortFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
/** A forecast isn't known to three digits. */
export const estimateFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 2 });
const timesFormat = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });

/** 2.4x, 0.81x, 1,300x */
export const timesText = (value: number): string => `${timesFormat.format(value)}x`;

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Median views by the day and hour of posting; nothing where no views of an hour are known. */
export function heatMapMarkup(report: DescribedReport): Markup | undefined {
  const { postingHours = [], postingBlocks = [], notCompared, timezone } = report;
  const knownHours = postingHours.filter(({ medianViews }) => medianViews !== undefined);
  if (knownHours.length === 0) return undefined;
  const isFew = ({ reels, settledReels = reels }: (typeof knownHours)[number]): boolean =>
    settledReels < fewestReelsOfHour;
  const many = knownHours.filter((one) => !isFew(one));
  const ranked = (many.length > 1 ? many : knownHours)
    .map(({ medianViews = 0 }) => medianViews)
    .toSorted((one, other) => one - other);
  const best = postingBlocks.find((block) => block.best);
  const conclusion = best
    ? `Best: ${clockHours(best.hours)}, on any day.`
    : notCompared
      ? "Times couldn’t be compared."
      : "No time is clearly better.";
  const cellOf = (dayOfWeek: string, hour: number): Markup => {
    const one = knownHours.find((cell) => cell.dayOfWeek === dayOfWeek && cell.hour === hour);
    if (one === undefined) return markup`<i></i>`;
    return markup`<i class="s${heatStep(one.medianViews ?? 0, ranked)}${isFew(one) && " few"}"></i>`;
  };
  const rows = dayNames.map(
    (day) => markup`<b>${day.slice(0, 3)}</b>${Array.from({ length: hourCount }, (_, hour) => cellOf(day, hour))}`,
  );
  const labels = Array.from({ length: hourCount / hoursOfLabel }, (_, index) => {
    const hour = String(index * hoursOfLabel).padStart(2, "0");
    return markup`<span>${hour}:00</span>`;
  });
  return markup`<section><h2>Views by posting time</h2><figure><div class="heat" role="img" aria-label="Median views by day and hour of posting, in ${timezone}. ${conclusion}">${rows}<b></b>${labels}</div><figcaption class="hint"><p>${conclusion} Times of ${timezone}. Paler squares have fewer than ${fewestReelsOfHour} reels.</p><p class="key" aria-hidden="true">No reel <i></i>${[1, 2, 3, 4, 5].map((step) => markup`<i class="s${step}"></i>`)} ${shortFormat.format(ranked.at(-1) ?? 0)} views</p></figcaption></figure></section>`;
}

/** The kinds of reels, and how each does. */
export function kindsMarkup({ metrics, ...report }: DescribedReport): Markup | undefined {
  // A kind that all reels are of is compared with nothing.
  const [formats = [], pillars = []] = [report.formats, report.pillars].map((kinds) =>
    kinds?.filter(({ share }) => share < 1),
  );
  if (formats.length + pillars.length === 0) return undefined;
  const unit = metrics.medianViews === undefined ? "likes" : "views";
  return markup`<section><h2>Formats and pillars</h2><p class="hint">What kinds of reels there are, and how each does: facts of the past, not a promise. 1x is what the reels posted around them get.</p><div class="pairs">${kindsTable("Format", formats, unit)}${kindsTable("Pillar", pillars, unit)}</div></section>`;
}

function kindsTable(name: string, kinds: readonly KindOfReels[], unit: string): Markup | undefined {
  if (kinds.length === 0) return undefined;
  const rows = kinds.map(
    ({ name: kind, reels, share, typical, multiple }) =>
      markup`<tr><td dir="auto">${withCapital(kind)}</td><td class="number">${whole.format(reels)} (${whole.format(100 * share)}%)</td><td class="number">${typical === undefined ? "–" : shortFormat.format(typical)}</td><td class="number">${multiple === undefined ? "–" : timesText(multiple)}</td></tr>`,
  );
  return markup`<div class="wide kinds"><table><thead><tr><th scope="col">${name}</th><th scope="col" class="number">Reels</th><th scope="col" class="number">Median ${unit}</th><th scope="col" class="number">Against usual</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
