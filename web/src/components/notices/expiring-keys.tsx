import type { Key } from "@reelscript/contract";
import { Link } from "@tanstack/react-router";
import { Moment } from "../moment.tsx";
import { Note } from "../note.tsx";
import { keyEnd } from "./key-end.ts";

/** Which keys end within a week; nothing where none does. */
export function ExpiringKeys({ keys }: { readonly keys: readonly Pick<Key, "id" | "name" | "expiresAt">[] }) {
  const ending = keys
    .filter(({ expiresAt }) => keyEnd(expiresAt) === "soon")
    .toSorted((one, other) => Date.parse(one.expiresAt ?? "") - Date.parse(other.expiresAt ?? ""));
  if (ending.length === 0) return undefined;
  return (
    <Note kind="warn" icon="clock">
      {ending.map(({ id, name, expiresAt }) => (
        <p key={id}>
          Key “
          <Link to="/settings/keys/$keyId" params={{ keyId: id }}>
            <bdi>{name}</bdi>
          </Link>
          ” expires on {expiresAt && <Moment at={expiresAt} style="long" />}. Replace it before then.
        </p>
      ))}
    </Note>
  );
}
