import { filePlatform } from "@reelscript/contract/values";
import { FileOptions } from "./file-options.tsx";
import { AnchorButton } from "../../../components/button.tsx";
import { TitleCard } from "../../../components/cue.tsx";
import { useMedia } from "../../../components/use-media.ts";
import { findMatches, markedPartsOf } from "./find-matches.ts";
import { ReelPlayer } from "./player.tsx";
import { useOpenScript } from "./open-script.ts";
import { cardWords } from "./script-moments.ts";
import { TagEditor } from "./tag-editor.tsx";
import type { ReactNode } from "react";
import { Handle, Moment } from "../../../components/inline.tsx";
import { PlatformMark, platformOf } from "../../../components/platform-mark.tsx";
import { duration, exactNumber, percent, timesUsualViews, languageName } from "../../../format.ts";

interface Props {
  /** The second at which playback begins. */
  readonly at: number | undefined;
}

export function ScriptSide({ at }: Props) {
  const { script, current, player, query } = useOpenScript();
  const { account, segments, receipt, language, reelUrl, caption, transcript, platform } = script;
  const said = transcript !== "";
  const isNarrow = useMedia("(max-width: 820px)");
  const inCaption = caption === undefined || query === undefined ? [] : findMatches([caption], query);
  const onlyInCaption = inCaption.length > 0 && findMatches([transcript], query ?? "").length === 0;
  return (
    <div className="left stack">
      {player.isOpen ? (
        <ReelPlayer />
      ) : (
        !isNarrow && (
          <TitleCard
            id={reelUrl}
            lang={said ? language : undefined}
            {...(said ? cardWords(segments, current?.line ?? 0) : { after: caption ?? (account && `@${account}`) })}
            at={at}
            length={receipt.audioSeconds}
          />
        )
      )}
      <div className="stack tight">
        <ScriptFacts />
        <TagEditor />
        {platform === filePlatform && <FileOptions />}
        {caption && platform !== filePlatform && (
          <details className="caption" open={onlyInCaption || !said}>
            <summary className="muted">Caption</summary>
            <p dir="auto">
              {markedPartsOf(caption, inCaption).map(({ text, match }, index) =>
                match === undefined ? text : <mark key={index}>{text}</mark>,
              )}
            </p>
          </details>
        )}
        {/^https?:/.test(reelUrl) && (
          <AnchorButton size="small" endIcon="open" href={reelUrl} target="_blank" rel="noopener noreferrer">
            Open the reel
          </AnchorButton>
        )}
      </div>
    </div>
  );
}

/** Figures are those that the platform showed when the reel was transcribed. */
function ScriptFacts() {
  const { script } = useOpenScript();
  const { account, platform, reelUrl, language, views, likes, comments, engagementRate, postedAt, receipt, analysis } =
    script;
  const times = analysis?.timesTypicalViews;
  return (
    <dl className="facts">
      {platform === filePlatform ? (
        <Fact name="From">A file of yours</Fact>
      ) : (
        <Fact name="Account">{account && <Handle name={account} />}</Fact>
      )}
      {platformOf(reelUrl) && (
        <Fact name="Platform">
          <PlatformMark url={reelUrl} />
        </Fact>
      )}
      <Fact name="Language">{language && language !== "und" && languageName(language)}</Fact>
      <Fact name="Length">{duration(receipt.audioSeconds) + (receipt.cut ? " and more" : "")}</Fact>
      <Fact name="Views">
        {views !== undefined &&
          [exactNumber(views), ...(times === undefined ? [] : [timesUsualViews(times)])].join(", ")}
      </Fact>
      <Fact name="Likes">{likes !== undefined && exactNumber(likes)}</Fact>
      <Fact name="Comments">{comments !== undefined && exactNumber(comments)}</Fact>
      <Fact name="Engagement">{engagementRate !== undefined && percent(engagementRate, 2)}</Fact>
      <Fact name="Posted">{postedAt && <Moment at={postedAt} style="long" />}</Fact>
      <Fact name="Call to action">{analysis?.callToAction}</Fact>
    </dl>
  );
}

/** Nothing where the fact isn't known. */
const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) =>
  children && (
    <>
      <dt className="muted">{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
