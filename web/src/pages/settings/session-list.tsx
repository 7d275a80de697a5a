import type { Session } from "@reelscript/contract";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { Moment } from "../../components/moment.tsx";

interface Props {
  readonly sessions: readonly Session[];
  /** The one that is being ended. */
  readonly ending: string | undefined;
  readonly onEnd: (id: string) => void;
}

const nameOf = (kind: Session["kind"], browser: string | null): string =>
  kind === "browser" ? (browser ?? "Unknown browser") : `Extension${browser === null ? "" : ` in ${browser}`}`;

export function SessionList({ sessions, ending, onEnd }: Props) {
  return (
    <ul className="sessions" aria-label="Sessions">
      {sessions.map(({ id, kind, browser, createdAt, lastUsedAt, current }) => (
        <li key={id}>
          <div className="grow">
            <p className="row wrap">
              <b>{nameOf(kind, browser)}</b>
              {current && <Chip kind="ok">This session</Chip>}
            </p>
            <p className="row wrap meta">
              <span>
                {kind === "extension" ? "Connected" : "Signed in"}: <Moment at={createdAt} />
              </span>
              <span>
                Last used: <Moment at={lastUsedAt} />
              </span>
            </p>
          </div>
          {!current && (
            <Button
              kind="danger"
              size="small"
              busy={ending === id ? (kind === "extension" ? "Disconnecting…" : "Ending…") : undefined}
              onClick={() => onEnd(id)}
            >
              {kind === "extension" ? "Disconnect" : "End"}
              <span className="visually-hidden"> {nameOf(kind, browser)}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
