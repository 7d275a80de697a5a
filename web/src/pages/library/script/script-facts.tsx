import type { ReactNode } from "react";
import type { Output } from "../../../api/operation-types.ts";
import { Handle } from "../../../components/handle.tsx";
import { Moment } from "../../../components/moment.tsx";
import { duration } from "../../../format/duration.ts";
import { languageName } from "../../../format/language-name.ts";
import { exactNumber, percent } from "../../../format/number.ts";

/** Figures are as the platform showed them when the reel was transcribed. */
export function ScriptFacts({ script }: { readonly script: Output<"getScript"> }) {
  const { account, language, views, likes, comments, engagementRate, postedAt, receipt } = script;
  return (
    <dl className="facts">
      <Fact name="Account">{account && <Handle name={account} />}</Fact>
      <Fact name="Language">{language && languageName(language)}</Fact>
      <Fact name="Length">{duration(receipt.audioSeconds) + (receipt.cut ? " and more" : "")}</Fact>
      <Fact name="Views">{views !== undefined && exactNumber(views)}</Fact>
      <Fact name="Likes">{likes !== undefined && exactNumber(likes)}</Fact>
      <Fact name="Comments">{comments !== undefined && exactNumber(comments)}</Fact>
      <Fact name="Engagement">{engagementRate !== undefined && percent(engagementRate, 2)}</Fact>
      <Fact name="Posted">{postedAt && <Moment at={postedAt} style="long" />}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ? <bdi>{children}</bdi> : <span className="muted">not known</span>}</dd>
    </>
  );
}
