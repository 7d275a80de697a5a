/** A report's shape before its figures are here. */
export function ReportPending() {
  return (
    <div className="report-pending" role="status" aria-label="Loading the report">
      <i className="of-figures" />
      <div className="film" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((card) => (
          <i key={card} className="of-card" />
        ))}
      </div>
      <i className="of-chart" />
    </div>
  );
}
