import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/operation-types.ts";
import { canTranscribe } from "../../components/notices/key-end.ts";
import { NearlyUsed } from "../../components/notices/nearly-used.tsx";
import { Note } from "../../components/note.tsx";
import { quotaSentence } from "../../format/quota-sentence.ts";
import { UseRow } from "./use-row.tsx";

interface Props {
  readonly usage: Output<"getUsage">;
  readonly keys: Output<"listKeys">;
  /** Names of the plans that have more. */
  readonly larger: readonly string[];
}

const isFull = ({ used, limit }: { readonly used: number; readonly limit: number }): boolean => used >= limit;

/** What people used together and what each key used, or all of it as one where the account is what is counted. */
export function TranscriptionUse({ usage: { transcriptions }, keys: { keys, quotaScope }, larger }: Props) {
  const shared = quotaScope === "account";
  const own = shared ? [] : keys;
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
