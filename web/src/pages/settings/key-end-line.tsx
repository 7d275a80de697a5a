import { Moment } from "../../components/moment.tsx";
import { keyEnd } from "../../components/notices/key-end.ts";

/** Expires Nov 14, 2026; of a key that never does, nothing. */
export function KeyEndLine({ at }: { readonly at: string | null | undefined }) {
  if (!at) return undefined;
  return (
    <>
      {keyEnd(at) === "expired" ? "Expired" : "Expires"} <Moment at={at} style="long" />
    </>
  );
}
