import type { Comparison } from "@reelscript/contract";
import { comparedBy, comparedGroup } from "@reelscript/contract/values";
import { percent, shortNumber } from "../../format/number.ts";
import { TableHead } from "../../components/table-head.tsx";

const ratio = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });

export function ComparisonFigures({ comparisons = [] }: { readonly comparisons: readonly Comparison[] | undefined }) {
  if (comparisons.length === 0) return undefined;
  return (
    <div>
      <h3 id="comparisons">Comparisons</h3>
      <p className="meta">The clearest of each kind, without the course of views over time.</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="wide-table" role="region" aria-labelledby="comparisons" tabIndex={0}>
        <table>
          <TableHead
            columns={[
              "Compared by",
              "Group",
              { figures: "Reels" },
              { figures: "Typically" },
              { figures: "Times" },
              { figures: "95% interval" },
              "Clear",
            ]}
          />
          <tbody>
            {comparisons.map((comparison) => (
              <tr key={comparison.kind}>
                <th scope="row">{comparedBy[comparison.kind]}</th>
                <td>{comparedGroup(comparison)}</td>
                <td className="number">
                  {comparison.reels} and {comparison.otherReels}
                </td>
                <td className="number">
                  {typical(comparison, comparison.typical)} and {typical(comparison, comparison.otherTypical)}
                </td>
                <td className="number">{ratio.format(comparison.times)}</td>
                <td className="number">
                  {ratio.format(comparison.low)} to {ratio.format(comparison.high)}
                </td>
                <td>{comparison.clear ? "Yes" : "No"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const typical = ({ kind }: Comparison, value: number): string =>
  kind === "engagement" ? percent(value) : shortNumber(value);
