import { Button, AnchorButton, LinkButton, CopyButton } from "../../../components/button.tsx";
import { TitleCard } from "../../../components/cue.tsx";
import { findMatches, markedPartsOf } from "./find-matches.ts";
import { ReelPlayer } from "./player.tsx";
import { useOpenScript } from "./open-script.ts";
import { cardWords } from "./script-moments.ts";
import { useState, type ReactNode } from "react";
import { Handle, Moment } from "../../../components/inline.tsx";
import { PlatformMark, platformOf } from "../../../components/platform-mark.tsx";
import { duration, exactNumber, percent, timesUsualViews, languageName } from "../../../format.ts";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { Input } from "../../../components/field.tsx";
import { showToast } from "../../../components/toast.tsx";

interface Props {
  /** The second at which the reel begins. */
  readonly at: number | undefined;
  readonly onDelete: () => void;
}

export function ScriptSide({ at, onDelete }: Props) {
  const { script, current, player, query } = useOpenScript();
  const { segments, receipt, language, reelUrl, caption, transcript } = script;
  const said = transcript !== "";
  const inCaption = caption === undefined || query === undefined ? [] : findMatches([caption], query);
  const onlyInCaption = inCaption.length > 0 && findMatches([transcript], query ?? "").length === 0;
  return (
    <div className="left stack">
      {player.isOpen ? (
        <ReelPlayer />
      ) : (
        <TitleCard
          id={reelUrl}
          lang={said ? language : undefined}
          {...(said ? cardWords(segments, current?.line ?? 0) : { after: caption })}
          at={at}
          length={receipt.audioSeconds}
        />
      )}
      <div className="stack tight">
        <ScriptFacts />
        {caption && (
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
        <ShareScript id={script.id} />
        <Button kind="ghost" size="small" icon="bin" onClick={onDelete}>
          Delete from library
        </Button>
      </div>
    </div>
  );
}

/** Figures are as the platform showed them when the reel was transcribed. */
function ScriptFacts() {
  const { script } = useOpenScript();
  const { account, reelUrl, language, views, likes, comments, engagementRate, postedAt, receipt, analysis } = script;
  const times = analysis?.timesTypicalViews;
  return (
    <dl className="facts">
      <Fact name="Account">{account && <Handle name={account} />}</Fact>
      {platformOf(reelUrl) && (
        <Fact name="Platform">
          <PlatformMark url={reelUrl} />
        </Fact>
      )}
      <Fact name="Language">{language && languageName(language)}</Fact>
      <Fact name="Length">{duration(receipt.audioSeconds) + (receipt.cut ? " and more" : "")}</Fact>
      <Fact name="Views">
        {views !== undefined &&
          [exactNumber(views), ...(times === undefined ? [] : [timesUsualViews(times)])].join(", ")}
      </Fact>
      <Fact name="Likes">{likes !== undefined && exactNumber(likes)}</Fact>
      <Fact name="Comments">{comments !== undefined && exactNumber(comments)}</Fact>
      <Fact name="Engagement">{engagementRate !== undefined && percent(engagementRate, 2)}</Fact>
      <Fact name="Posted">{postedAt && <Moment at={postedAt} style="long" />}</Fact>
      {analysis?.callToAction && <Fact name="Call to action">{analysis.callToAction}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="muted">{name}</dt>
      <dd>{children ? <bdi>{children}</bdi> : <span className="muted">Not available</span>}</dd>
    </>
  );
}

function ShareScript({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {link === undefined ? "Share script" : "Shared by link"}
      </Button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="Share this script">
          <p className="subtitle">
            Anyone with the link can read this transcript, with your corrections. They don’t need an account and can’t
            change anything.
          </p>
          <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
          <ErrorNote error={create.error ?? revoke.error} />
          {link !== undefined && (
            <>
              <Input label="Link" readOnly dir="ltr" value={link.url} onFocus={({ target }) => target.select()} />
              <p className="hint">
                <a className="link" href={link.url} target="_blank" rel="noopener noreferrer">
                  See what they see
                </a>
              </p>
            </>
          )}
          <DialogButtons>
            {link === undefined ? (
              <Button
                kind="ink"
                disabled={data === undefined}
                busy={create.isPending && "Creating…"}
                onClick={() => create.mutate({ id })}
              >
                Create link
              </Button>
            ) : (
              <>
                <CopyButton kind="ink" text={link.url} done="Copied the link">
                  Copy link
                </CopyButton>
                <Button
                  kind="danger"
                  busy={revoke.isPending && "Revoking…"}
                  onClick={() => revoke.mutate({ id: link.id })}
                >
                  Revoke link
                </Button>
              </>
            )}
            <LinkButton kind="ghost" to="/settings/shared">
              All shared links
            </LinkButton>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}
