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

export function SessionList({ sessions, ending, onEnd }: Props) {
  return (
    <ul className="sessions" aria-label="Sessions">
      {sessions.map(({ id, browser, createdAt, lastUsedAt, current }) => (
        <li key={id}>
          <div className="grow">
            <p className="row wrap">
              <b>{browser ?? "Unknown browser"}</b>
              {current && <Chip kind="ok">This session</Chip>}
            </p>
            <p className="row wrap meta">
              <span>
                Signed in: <Moment at={createdAt} />
              </span>
              <span>
                Last used: <Moment at={lastUsedAt} />
              </span>
            </p>
          </div>
          {!current && (
            <Button kind="danger" size="small" busy={ending === id ? "Ending…" : undefined} onClick={() => onEnd(id)}>
              End<span className="vh"> the session of {browser ?? "an unknown browser"}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
