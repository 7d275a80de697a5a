/** A bar that fills while work is done; `share` is from 0 to 1. */
export const Progress = ({ label, share }: { readonly label: string; readonly share: number }) => (
  <span
    className="meter"
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(share * 100)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <i style={{ inlineSize: `${share * 100}%` }} />
  </span>
);
