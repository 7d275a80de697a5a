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
        <div key={index} className="skel" aria-hidden="true">
          <i />
          <div className="stack t">
            <i className="w-[86%]" />
            <i className="w-3/5" />
            <i className="w-[22%]" />
          </div>
        </div>
      ))}
    </div>
  );
}
