import type { Output } from "@reelscript/client/core";
import { useChange } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { focusTitle } from "../../components/dialog.tsx";
import { Chip, Moment } from "../../components/inline.tsx";
import { ErrorNote } from "../../components/note.tsx";
import { showToast } from "../../components/toast.tsx";
import { SettingsRow } from "./settings-tabs.tsx";
import { exactNumber } from "../../format/number.ts";

interface Props {
  readonly programs: Output<"listPrograms">["programs"];
  /** Whether each has an allowance of its own. */
  readonly counted: boolean;
}

export function ConnectedPrograms({ programs, counted }: Props) {
  const disconnect = useChange("disconnectProgram", {
    stale: ["listPrograms"],
    onDone: () => {
      showToast("Program disconnected");
      focusTitle();
    },
  });
  if (programs.length === 0) return null;
  return (
    <section aria-labelledby="programs">
      <h2 id="programs">Connected programs</h2>
      <p className="subtitle">Each takes the place of a key. Disconnect any you don’t recognize.</p>
      <ErrorNote error={disconnect.error} />
      <ul className="sessions" aria-label="Connected programs">
        {programs.map(({ id, name, address, readOnly, createdAt, lastUsedAt, transcriptions: { used, limit } }) => (
          <SettingsRow
            key={id}
            name={<bdi>{name}</bdi>}
            state={
              <>
                <span className="meta">{address}</span>
                {readOnly && <Chip kind="plain">Read-only</Chip>}
              </>
            }
            facts={
              <>
                <span>
                  Connected: <Moment at={createdAt} />
                </span>
                <span>Last used: {lastUsedAt === null ? "never" : <Moment at={lastUsedAt} />}</span>
                {counted && !readOnly && (
                  <span>
                    {exactNumber(used)} of {exactNumber(limit)} transcriptions
                  </span>
                )}
              </>
            }
          >
            <Button
              kind="danger"
              size="small"
              busy={disconnect.isPending && disconnect.variables.id === id ? "Disconnecting…" : undefined}
              onClick={() => disconnect.mutate({ id })}
            >
              Disconnect
              <span className="visually-hidden"> {name}</span>
            </Button>
          </SettingsRow>
        ))}
      </ul>
    </section>
  );
}
