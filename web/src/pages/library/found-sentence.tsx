import type { ReactNode } from "react";
import { Handle } from "../../components/handle.tsx";
import { exactNumber } from "../../format/number.ts";

interface Props {
  readonly found: number;
  /** How many there are without the query; `undefined` while that is not known. */
  readonly all: number | undefined;
  readonly query: string | undefined;
  readonly account: string | undefined;
}

/** 31 of 247 scripts say “hook”; 12 scripts by @lenabakes */
export function FoundSentence({ found, all, query, account }: Props): ReactNode {
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
      {query !== undefined && (
        <>
          {found === 1 ? " says " : " say "}“<bdi>{query}</bdi>”
        </>
      )}
    </>
  );
}
