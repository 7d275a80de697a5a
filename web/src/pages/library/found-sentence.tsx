import type { ReactNode } from "react";
import { Handle } from "../../components/handle.tsx";
import { exactNumber } from "../../format/number.ts";
import { kindWords, type LibraryFilter } from "./library-filter.ts";

interface Props {
  readonly found: number;
  /** How many of them have it in the caption and don't say it; `undefined` while not all are known. */
  readonly inCaption: number | undefined;
  /** How many there are without the query; `undefined` while that is not known. */
  readonly all: number | undefined;
  readonly query: string | undefined;
  readonly filter: LibraryFilter;
}

/** 31 of 247 scripts say “hook”; 12 scripts by @lenabakes in Tamil, 30 to 60 s */
export function FoundSentence({ found, inCaption, all, query, filter }: Props): ReactNode {
  const { account } = filter;
  const of = query !== undefined && all !== undefined && all >= found ? ` of ${exactNumber(all)}` : "";
  const many = of === "" ? found !== 1 : all !== 1;
  return (
    <>
      <b>{exactNumber(found)}</b>
      {`${of} ${many ? "scripts" : "script"}`}
      {account !== undefined && (
        <>
          {" by "}
          <Handle name={account} />
        </>
      )}
      {kindWords(filter)}
      {query !== undefined && (
        <>
          {inCaption === 0 ? (found === 1 ? " says " : " say ") : found === 1 ? " matches " : " match "}“
          <bdi>{query}</bdi>”
          {inCaption !== undefined && inCaption > 0 && `, ${exactNumber(inCaption)} in the caption only`}
        </>
      )}
    </>
  );
}
