import type { CompetitorReport, KindOfReels } from "@reelscript/contract";
import { NamedRows, ScrolledTable } from "../../components/scrolled-table.tsx";
import { exactNumber, percent, shortNumber, times } from "../../format.ts";

/** The kinds of reels of an account, and how each does. */
export function KindsOfReels({ report }: { readonly report: CompetitorReport }) {
  const { metrics } = report;
  const formats = severalOf(report.formats);
  const pillars = severalOf(report.pillars);
  if (formats.length + pillars.length === 0) return undefined;
  const unit = metrics.medianViews === undefined ? "likes" : "views";
  return (
    <section className="stack tight" aria-labelledby="kinds">
      <div>
        <h2 id="kinds">Formats and pillars</h2>
        <p className="meta">
          What kinds of reels there are, and how each does: facts of the past, not a promise. 1x is what the reels
          posted around them get.
        </p>
      </div>
      <div className="tiles kind-tables">
        <Kinds name="Format" kinds={formats} unit={unit} />
        <Kinds name="Pillar" kinds={pillars} unit={unit} />
      </div>
    </section>
  );
}

/** A kind that all reels are of is compared with nothing. */
const severalOf = (kinds: readonly KindOfReels[] = []): readonly KindOfReels[] =>
  kinds.filter(({ share }) => share < 1);

interface KindsProps {
  readonly name: string;
  readonly kinds: readonly KindOfReels[];
  readonly unit: "views" | "likes";
}

function Kinds({ name, kinds, unit }: KindsProps) {
  if (kinds.length === 0) return undefined;
  return (
    <ScrolledTable className="kinds" label={`${name}s`}>
      <NamedRows
        columns={[
          name,
          { figures: "Reels" },
          { figures: `Median ${unit}` },
          { figures: "Against usual" },
          { figures: "Engagement" },
        ]}
        rows={kinds.map(({ name: kind, reels, share, typical, multiple, engagementRate }) => [
          <bdi key={kind} className={kind.startsWith("#") ? "hashtag" : undefined}>
            {kind}
          </bdi>,
          `${exactNumber(reels)} (${percent(100 * share, 0)})`,
          typical === undefined ? "" : shortNumber(Math.round(typical)),
          multiple === undefined ? "" : times(multiple),
          engagementRate === undefined ? "" : percent(engagementRate),
        ])}
      />
    </ScrolledTable>
  );
}
