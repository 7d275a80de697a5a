import { linkState } from "@reelscript/contract/values";
import type { Output } from "@reelscript/client/core";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operationQuery, useOperation } from "../../../api/use-operation.ts";
import { Cue } from "../../../components/cue.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Handle } from "../../../components/inline.tsx";
import { PlatformMark } from "../../../components/platform-mark.tsx";
import { shownAddress } from "../../../format.ts";
import { shownWords } from "../../../components/shown-words.ts";
import { troubleText } from "../trouble-text.ts";

type BatchLink = Output<"getBatch">["links"][number];
type Script = Output<"searchMyScripts">["scripts"][number];

/** Scripts per request. */
const scriptsAtATime = 20;

/** The finished scripts of a batch by their ids; the last ones stay until more have arrived. */
function useScriptsOf(links: readonly BatchLink[]): ReadonlyMap<string, Script> {
  const parts = Array.from({ length: Math.ceil(links.length / scriptsAtATime) }, (_, index) =>
    links
      .slice(index * scriptsAtATime, (index + 1) * scriptsAtATime)
      .flatMap(({ scriptId }) => scriptId ?? [])
      .join(","),
  );
  return useQueries({
    queries: parts.map((ids) => ({
      ...operationQuery("searchMyScripts", { ids }),
      enabled: ids !== "",
      placeholderData: keepPreviousData,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.scripts.map((script) => [script.id, script] as const) ?? [])),
  });
}

/** The links of a batch, with the words of those that are done. */
export function BatchRows({ links }: { readonly links: readonly BatchLink[] }) {
  const scripts = useScriptsOf(links);
  return (
    <ol className="script-rows">
      {links.map((link) => (
        <LinkRow key={link.url} link={link} script={scripts.get(link.scriptId ?? "")} />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly link: BatchLink;
  readonly script: Script | undefined;
}

function LinkRow({ link, script }: RowProps) {
  const { url, reelUrl = url, scriptId, title, fileId } = link;
  const usage = useOperation("getUsage", {}).data;
  const address = <bdi className="one-line">{title ?? shownAddress(reelUrl)}</bdi>;
  return (
    <li className={scriptId === undefined ? undefined : "opens"}>
      {link.error === undefined ? (
        <Cue id={reelUrl} text={script?.transcript ?? ""} lang={script?.language} />
      ) : (
        <span className="cue blank" aria-hidden="true" />
      )}
      <div>
        {scriptId === undefined ? (
          <span className="words one-line">{address}</span>
        ) : (
          <Link
            className="words clamped"
            to="/scripts/$scriptId"
            params={{ scriptId }}
            dir="auto"
            lang={script?.language}
          >
            {script === undefined ? address : wordsOf(script)}
          </Link>
        )}
        <div className="meta row wrap">
          {script?.account !== undefined && (
            <b>
              <Handle name={script.account} />
            </b>
          )}
          {fileId === undefined ? <PlatformMark url={reelUrl} /> : script !== undefined && <bdi>{title}</bdi>}
          {link.error === undefined ? (
            <span>{linkState(link)}</span>
          ) : (
            <span className="field-error">
              <Icon name="alert" small />
              {errorText(link.error, usage)}
            </span>
          )}
        </div>
      </div>
      {scriptId !== undefined && <Icon name="forward" small />}
    </li>
  );
}

const wordsOf = (script: Script): string =>
  shownWords(script)
    .parts.map(({ text }) => text)
    .join("") || "No speech in this reel";

function errorText(error: NonNullable<BatchLink["error"]>, usage: Output<"getUsage"> | undefined): string {
  if (error.code === "limitReached") return "Didn’t fit your plan.";
  return troubleText({ code: error.code, reason: error.reason, message: error.message }, usage).text;
}
