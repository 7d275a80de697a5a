import { Link } from "@tanstack/react-router";
import type { Output } from "@reelscript/client/core";
import { canTranscribe } from "../../components/key-end.ts";
import { NearlyUsed } from "../../components/notices.tsx";
import { Note } from "../../components/note.tsx";
import { quotaSentence } from "../../format/quota-sentence.ts";
import type { ReactNode } from "react";
import { Meter } from "../../components/meter.tsx";
import { exactNumber } from "../../format/number.ts";

interface Props {
  readonly usage: Output<"getUsage">;
  readonly keys: Output<"listKeys">;
  readonly larger: readonly string[];
}

const isFull = ({ used, limit }: { readonly used: number; readonly limit: number }): boolean => used >= limit;

/** What people used together and what each key used, or all of it as one where the account is what is counted. */
export function TranscriptionUse({ usage: { transcriptions }, keys: { keys, quotaScope }, larger }: Props) {
  const shared = quotaScope === "account";
  const own = shared ? [] : keys.filter(({ readOnly }) => !readOnly);
  const transcribing = own.filter(canTranscribe);
  const people = shared ? "Dashboard, extension and keys" : "Dashboard and extension";
  return (
    <>
      <ul aria-label="Transcriptions">
        <UseRow name={people} about="shared by dashboard and extension" {...transcriptions} />
        {own.map(({ id, name, lastFour, transcriptions: used }) => (
          <UseRow
            key={id}
            name={name}
            shown={
              <Link to="/settings/keys/$keyId" params={{ keyId: id }}>
                <bdi>{name}</bdi>
              </Link>
            }
            about={
              <>
                key <bdi>…{lastFour}</bdi>
              </>
            }
            {...used}
          />
        ))}
      </ul>
      <NearlyUsed
        who={shared ? "Dashboard, extension and keys have" : "Dashboard and extension have"}
        {...transcriptions}
      />
      {transcribing.map(({ id, name, transcriptions: used }) => (
        <NearlyUsed key={id} who={`“\u2068${name}\u2069” has`} {...used} />
      ))}
      {isFull(transcriptions) && (
        <Note kind="bad" icon="warn">
          <p>{quotaSentence({ name: peopleInSentence(shared), plural: true }, transcriptions, larger)}</p>
        </Note>
      )}
      {transcribing
        .filter(({ transcriptions: used }) => isFull(used))
        .map((key) => (
          <Note key={key.id} kind="bad" icon="warn">
            <p>{quotaSentence({ name: `“\u2068${key.name}\u2069”` }, key.transcriptions, larger)}</p>
          </Note>
        ))}
    </>
  );
}

const peopleInSentence = (shared: boolean): string =>
  shared ? "The dashboard, the extension and the keys" : "The dashboard and the extension";

interface RowProps {
  readonly name: string;
  readonly shown?: ReactNode;
  readonly about: ReactNode;
  readonly used: number;
  readonly limit: number | null;
}

export function UseRow({ name, shown, about, used, limit }: RowProps) {
  return (
    <li className="usage-row">
      <span className="subject">
        <b>{shown ?? name}</b>
        <span className="meta">{about}</span>
      </span>
      <span className="gauge">{limit !== null && <Meter bare name={name} used={used} limit={limit} />}</span>
      <span>
        <bdi>
          <b>{exactNumber(used)}</b>
          <span className="muted">{limit === null ? ", no limit" : ` of ${exactNumber(limit)}`}</span>
        </bdi>
      </span>
    </li>
  );
}
