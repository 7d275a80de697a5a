import { Link } from "@tanstack/react-router";
import type { Output } from "@reelscript/client/core";
import { Button } from "../../components/button.tsx";
import { Meter, Moment, Chip } from "../../components/inline.tsx";
import { exactNumber } from "../../format.ts";
import { keyEnd, type Lifespan } from "../../components/key-end.ts";
import type { Key } from "@reelscript/contract";
import { TableHead } from "../../components/page.tsx";
import { ScrolledTable } from "../../components/scrolled-table.tsx";
import { useChange } from "../../api/use-operation.ts";
import { ConfirmDialog, focusTitle } from "../../components/dialog.tsx";
import { showToast } from "../../components/toast.tsx";

type ListedKey = Output<"listKeys">["keys"][number];

interface KeyTableProps {
  readonly keys: readonly ListedKey[];
  /** True if each key has its own quota. */
  readonly counted: boolean;
  readonly onRevoke: (key: ListedKey) => void;
}

export function KeyTable({ keys, counted, onRevoke }: KeyTableProps) {
  return (
    <ScrolledTable className="key-table" label="API keys">
      <TableHead columns={["Name", "Key", ...(counted ? ["Used"] : []), "Last used", { hidden: "Revoke" }]} />
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className="name">
              <span className="row wrap">
                <Link className="semibold" to="/settings/keys/$keyId" params={{ keyId: key.id }}>
                  <bdi>{key.name}</bdi>
                </Link>
                <KeyChips of={key} />
              </span>
              <div className="meta">
                {keyEnd(key) === "never" ? (
                  <>
                    Created <Moment at={key.createdAt} style="long" />
                  </>
                ) : (
                  <KeyEndLine of={key} />
                )}
              </div>
            </td>
            <td>
              <code dir="ltr">svc_sk_…{key.lastFour}</code>
            </td>
            {counted && (
              <td className="used">
                {key.readOnly ? (
                  <span className="muted">Can’t transcribe</span>
                ) : (
                  <>
                    <span className="meta">
                      {exactNumber(key.transcriptions.used)} of {exactNumber(key.transcriptions.limit)}
                    </span>
                    <Meter name={`${key.name}: used`} {...key.transcriptions} />
                  </>
                )}
              </td>
            )}
            <td className="meta">{key.lastUsedAt === null ? "Never used" : <Moment at={key.lastUsedAt} />}</td>
            <td className="number">
              <Button kind="danger" size="small" onClick={() => onRevoke(key)}>
                {keyEnd(key) === "expired" ? "Remove" : "Revoke"}
                <span className="visually-hidden"> {key.name}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

export function KeyChips({ of: { readOnly, ...key } }: { readonly of: Key }) {
  const end = keyEnd(key);
  return (
    <>
      {readOnly && <Chip>Read-only</Chip>}
      {end === "soon" && <Chip kind="warn">Expires soon</Chip>}
      {end === "expired" && <Chip kind="bad">Expired</Chip>}
    </>
  );
}

export const KeyEndLine = ({ of }: { readonly of: Lifespan }) =>
  of.expiresAt !== null && (
    <>
      {keyEnd(of) === "expired" ? "Expired" : "Expires"} <Moment at={of.expiresAt} style="long" />
    </>
  );

interface RevocableKey extends Lifespan {
  readonly id: string;
  readonly name: string;
}

interface RevokeKeyDialogProps {
  readonly of: RevocableKey;
  readonly onClose: () => void;
  readonly onRevoked?: () => void;
}

export function RevokeKeyDialog({ of, onClose, onRevoked }: RevokeKeyDialogProps) {
  const revoke = useChange("revokeKey", { stale: ["listKeys"] });
  const hasExpired = keyEnd(of) === "expired";
  const onSuccess = (): void => {
    onClose();
    showToast(`“\u2068${of.name}\u2069” is ${hasExpired ? "removed" : "revoked"}`);
    focusTitle();
    onRevoked?.();
  };
  return (
    <ConfirmDialog
      title={
        <>
          {hasExpired ? "Remove" : "Revoke"} “<bdi>{of.name}</bdi>”?
        </>
      }
      change={revoke}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: of.id }, { onSuccess })}
      action={hasExpired ? "Remove key" : "Revoke key"}
      busy={hasExpired ? "Removing…" : "Revoking…"}
    >
      {hasExpired ? "It has expired already." : "It stops working immediately."} Used transcriptions aren’t refunded.
    </ConfirmDialog>
  );
}
