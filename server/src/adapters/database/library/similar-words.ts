import type { SimilarWord } from "../../../ports.ts";
import { isText } from "../engine/columns.ts";
import { statement, type Queryable } from "../engine/statement.ts";

/** Scripts whose words are read, the newest first. */
const mostScripts = 1_000;
/** Bytes of their tokens. */
const mostBytes = 4_000_000;
const mostSimilar = 500;

/**
 * A word that differs by one letter, or by two letters that changed places, has the same beginning or the same end of
 * `half` letters. Words that make up another one are its beginning and its end.
 */
const findSimilar = statement(`
  with newest as materialized (
    select number, pg_column_size(tokens) as bytes from searchable_script
    where library = (select number from account_content where account_id = :accountId)
    order by number desc limit :scripts::integer
  ), within as materialized (
    select number from (select number, sum(bytes) over (order by number desc) as bytes from newest) as added
    where bytes <= :bytes::bigint
  ), vocabulary as materialized (
    select entry.lexeme, length(entry.lexeme) as length, count(*) as scripts
    from within join searchable_script as f using (number), unnest(f.tokens) as entry
    where entry.positions is not null and length(entry.lexeme) between 2 and 61
    group by entry.lexeme
  )
  select typed.word, v.lexeme as similar
  from (
    select word, length(word) as length, (length(word) - 1) / 2 as half from unnest(:words::text[]) as word
  ) as typed join vocabulary as v on right(v.lexeme, 1) <> '.' and (
    v.length between typed.length - 1 and typed.length + 1
      and (left(v.lexeme, half) = left(word, half) or right(v.lexeme, half) = right(word, half))
    or v.length <= typed.length - 2 and (left(word, v.length) = v.lexeme or right(word, v.length) = v.lexeme)
  )
  order by v.lexeme <> typed.word, v.scripts desc, v.lexeme collate "C" limit ${mostSimilar}`).reading({
  word: isText,
  similar: isText,
});

/** See `Scripts.similarWords`. */
export const similarWords = (on: Queryable, accountId: string, words: readonly string[]): Promise<SimilarWord[]> =>
  findSimilar.rows(on, { accountId, words, scripts: mostScripts, bytes: mostBytes });
