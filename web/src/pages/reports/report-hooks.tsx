import { Link } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { useOperation } from "../../api/use-operation.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

const timesTypical = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });

/** How the top reels begin, of those whose script is in the library. */
export function ReportHooks({ report: { id, topReels, metrics } }: { readonly report: CompetitorReport }) {
  const { data } = useOperation("listReportHooks", { id });
  if (data === undefined || data.hooks.length === 0) return undefined;
  const missing = topReels.length - data.inLibrary;
  return (
    <section aria-labelledby="report-hooks">
      <h2 id="report-hooks" className="section-title">
        How they begin
      </h2>
      <ol className="hooks">
        {data.hooks.map(({ url, scriptId, language, text }) => {
          const views = topReels.find((reel) => reel.url === url)?.views;
          return (
            <li key={url}>
              {views !== undefined && (
                <p title={`${exactNumber(views)} views`}>
                  <b>{shortNumber(views)} views</b>
                  {metrics.medianViews ? (
                    <span className="meta">{timesTypical.format(views / metrics.medianViews)} times typical</span>
                  ) : undefined}
                </p>
              )}
              <Link to="/scripts/$scriptId" params={{ scriptId }} lang={language} dir="auto">
                {text}
              </Link>
            </li>
          );
        })}
      </ol>
      {missing > 0 && (
        <p className="meta">
          {counted(missing, "top reel isn’t", "top reels aren’t")} in your library. Transcribe{" "}
          {missing === 1 ? "it" : "them"} to see more.
        </p>
      )}
    </section>
  );
}
