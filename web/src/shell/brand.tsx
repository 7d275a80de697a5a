import { Link } from "@tanstack/react-router";

/** Leads home, except where there is no home yet. */
export function Brand({ leads = true }: { readonly leads?: boolean }) {
  const mark = (
    <>
      <svg className="logo" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
        <rect className="logo-frame" x="3" y="1" width="14" height="24" rx="3.5" />
        <path className="logo-lines" d="M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z" />
      </svg>
      Reelscript
    </>
  );
  if (!leads) return <p className="brand">{mark}</p>;
  return (
    <Link className="brand" to="/library">
      {mark}
    </Link>
  );
}
