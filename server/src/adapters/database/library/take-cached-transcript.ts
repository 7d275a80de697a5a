import type { Allowance, CachedTranscript, NewId, ReelIdentity } from "../../../ports.ts";
import { isNumber, isText, orNull } from "../engine/columns.ts";
import { rowOf, statement, type Queryable } from "../engine/statement.ts";
import { spokenTextRow } from "../transcriptions/transcript-row.ts";

const takeCached = statement(`
  with found as (
    select * from transcript
    where platform = :platform and media_id = :mediaId
      and (owner is null or :own::boolean and owner = :accountId::text)
    order by owner nulls last limit 1
  ), added as (
    insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
    select :scriptId, :accountId::text, found.id, :now, found.views, found.engagement_rate, found.handle
    from found
    where not exists (select from script where account_id = :accountId::text and transcript_id = found.id)
    on conflict (account_id, transcript_id) do nothing
    returning id
  )
  select text, language, truncated,
    coalesce(
      (select id from added),
      (select id from script where account_id = :accountId::text and transcript_id = found.id)
    ) as script_id,
    coalesce((select used from allowance where account_id = :accountId and slot = :slot and period = :period), 0) as used
  from found`).reading({ ...spokenTextRow, scriptId: orNull(isText), used: isNumber });

/** A cached transcript, which is now in the account's library too. */
export async function takeCachedTranscript(
  on: Queryable,
  newId: NewId,
  reel: ReelIdentity,
  { subject, period }: Pick<Allowance, "subject" | "period">,
  now: Date,
  { own = false }: { readonly own?: boolean } = {},
): Promise<CachedTranscript | undefined> {
  const { platform, mediaId } = reel;
  return rowOf(on, takeCached, { platform, mediaId, own, ...subject, period, scriptId: newId("scr"), now });
}
