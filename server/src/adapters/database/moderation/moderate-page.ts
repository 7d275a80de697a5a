import type { ModeratedBioPage, NamedBioPage } from "../../../ports.ts";
import { isMoment, isText, orNull } from "../engine/columns.ts";
import { execute, rowOf, statement, type Transaction } from "../engine/statement.ts";

const findPage = statement(
  "find-bio-to-moderate",
  `
    select id, handle, taken_down_at from bio_page
    where id = :id or handle = :handle or account_id = (
      select account_id from bio_former_handle where handle = :handle and held_until > :now
    )
    for update`,
  { id: isText, handle: orNull(isText), taken_down_at: orNull(isMoment) },
);

const markPage = statement("mark-bio", "update bio_page set taken_down_at = :takenDownAt where id = :id");

/** Takes a page down at the moment `takenDownAt`, or restores it when that is `null`. */
export async function moderatePage(
  inside: Transaction,
  page: NamedBioPage,
  { takenDownAt, now }: { readonly takenDownAt: Date | null; readonly now: Date },
): Promise<ModeratedBioPage | "unknown" | "already"> {
  const named = { id: null, handle: null, ...page };
  const found = await rowOf(inside, findPage, { ...named, now });
  if (found === undefined) return "unknown";
  if ((found.taken_down_at === null) === (takenDownAt === null)) return "already";
  await execute(inside, markPage, { id: found.id, takenDownAt });
  return { id: found.id, handle: found.handle };
}
