import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/operation-types.ts";
import { Button } from "../../components/button.tsx";
import { Meter } from "../../components/meter.tsx";
import { Moment } from "../../components/moment.tsx";
import { exactNumber } from "../../format/number.ts";
import { KeyChips } from "./key-chips.tsx";
import { KeyEndLine } from "./key-end-line.tsx";
import { keyEnd } from "../../components/notices/key-end.ts";

type ListedKey = Output<"listKeys">["keys"][number];

interface Props {
  readonly keys: readonly ListedKey[];
  /** Whether each key has an allowance of its own. */
  readonly counted: boolean;
  readonly onRevoke: (key: ListedKey) => void;
}

export function KeyTable({ keys, counted, onRevoke }: Props) {
  return (
    <table className="key-table" aria-label="API keys">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          {counted && <th scope="col">Used</th>}
          <th scope="col">Last used</th>
          <th scope="col">
            <span className="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className="name">
              <span className="row wrap">
                <Link to="/settings/keys/$keyId" params={{ keyId: key.id }}>
                  <bdi>{key.name}</bdi>
                </Link>
                <KeyChips of={key} />
              </span>
              <div className="meta">
                {keyEnd(key.expiresAt) === "never" ? (
                  <>
                    Created <Moment at={key.createdAt} style="long" />
                  </>
                ) : (
                  <KeyEndLine at={key.expiresAt} />
                )}
              </div>
            </td>
            <td>
              <code dir="ltr">svc_sk_…{key.lastFour}</code>
            </td>
            {counted && (
              <td className="used">
                <span className="meta">
                  {exactNumber(key.transcriptions.used)} of {exactNumber(key.transcriptions.limit)}
                </span>
                <Meter bare name={`${key.name}: used`} {...key.transcriptions} />
              </td>
            )}
            <td className="meta">{key.lastUsedAt === null ? "Never used" : <Moment at={key.lastUsedAt} />}</td>
            <td className="number">
              <Button kind="danger" size="small" onClick={() => onRevoke(key)}>
                {keyEnd(key.expiresAt) === "expired" ? "Remove" : "Revoke"}
                <span className="visually-hidden"> {key.name}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
