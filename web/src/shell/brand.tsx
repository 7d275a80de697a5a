import { mark } from "@reelscript/contract/values";
import { Link } from "@tanstack/react-router";

/** Leads home, except where there is no home yet. */
export function Brand({ leads = true }: { readonly leads?: boolean }) {
  const brand = (
    <>
      <svg className="logo" width="26" height="26" viewBox={mark.viewBox} aria-hidden="true">
        <path className="logo-frame" d={mark.frame} />
        <path className="logo-lines" d={mark.lines} />
      </svg>
      Reelscript
    </>
  );
  if (!leads) return <p className="brand">{brand}</p>;
  return (
    <Link className="brand" to="/library">
      {brand}
    </Link>
  );
}
