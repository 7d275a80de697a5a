import type { Key } from "@reelscript/contract";
import { Chip } from "../../components/chip.tsx";
import { keyEnd } from "../../components/notices/key-end.ts";

/** What a key may not do, and whether it has ended or will soon. */
export function KeyChips({ of: { expiresAt, readOnly } }: { readonly of: Pick<Key, "expiresAt" | "readOnly"> }) {
  const end = keyEnd(expiresAt);
  return (
    <>
      {readOnly && <Chip>Read-only</Chip>}
      {end === "soon" && <Chip kind="warn">Expires soon</Chip>}
      {end === "expired" && <Chip kind="bad">Expired</Chip>}
    </>
  );
}
