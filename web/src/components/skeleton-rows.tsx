interface Props {
  readonly count?: number;
  /** What is read out meanwhile. */
  readonly label?: string;
}

/** Rows of the height that they will have. */
export function SkeletonRows({ count = 6, label = "Loading" }: Props) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton" aria-hidden="true">
          <i />
          <div className="stack tight">
            <i style={{ width: "86%" }} />
            <i style={{ width: "60%" }} />
            <i style={{ width: "22%" }} />
          </div>
        </div>
      ))}
    </div>
  );
}
