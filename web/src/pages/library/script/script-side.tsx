import type { Output } from "../../../api/operation-types.ts";
import { Button } from "../../../components/button.tsx";
import { AnchorButton } from "../../../components/link-button.tsx";
import { TitleCard } from "../../../components/cue/title-card.tsx";
import { findMatches, partsOf } from "./find-matches.ts";
import { ShareScript } from "./share/share-script.tsx";
import { ScriptFacts } from "./script-facts.tsx";
import { cardWords } from "./segment-at.ts";

interface Props {
  readonly script: Output<"getScript">;
  /** The segment that is chosen. */
  readonly current: number | undefined;
  /** The second that is shown. */
  readonly at: number | undefined;
  /** What led here from the library. */
  readonly query: string | undefined;
  readonly onDelete: () => void;
}

export function ScriptSide({ script, current, at, query, onDelete }: Props) {
  const { segments, receipt, language, reelUrl, caption, transcript } = script;
  const shown = segments.length > 0 ? segments : [{ start: 0, end: receipt.audioSeconds, text: transcript }];
  const said = transcript !== "";
  const inCaption = caption === undefined || query === undefined ? [] : findMatches([caption], query);
  const onlyInCaption = inCaption.length > 0 && findMatches([transcript], query ?? "").length === 0;
  return (
    <div className="left">
      <TitleCard
        id={reelUrl}
        lang={said ? language : undefined}
        {...(said ? cardWords(shown, current ?? 0) : { after: caption })}
        at={at}
        length={receipt.audioSeconds}
      />
      <div className="stack tight">
        <ScriptFacts script={script} />
        {caption && (
          <details className="caption" open={onlyInCaption || !said}>
            <summary>Caption</summary>
            <p dir="auto">
              {partsOf(caption, inCaption).map(({ text, match }, index) =>
                match === undefined ? text : <mark key={index}>{text}</mark>,
              )}
            </p>
          </details>
        )}
        {/^https?:/.test(reelUrl) && (
          <AnchorButton
            kind="quiet"
            size="small"
            endIcon="open"
            href={reelUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            Open the reel
          </AnchorButton>
        )}
        <ShareScript id={script.id} />
        <Button kind="ghost" size="small" icon="bin" onClick={onDelete}>
          Delete from library
        </Button>
      </div>
    </div>
  );
}
