/** Keeps the tokens of searches uncompressed, because each search would have to decompress all tokens of its library. */
export const uncompressedTokens = `
create function uncompress_tokens() returns trigger language plpgsql as $$
-- Values stay compressed when they are copied from a column that compresses them.
begin
  new.tokens := new.tokens || ''::tsvector;
  return new;
end
$$;
create trigger searchable_script_uncompressed before insert or update of tokens on searchable_script
for each row when (pg_column_compression(new.tokens) is not null) execute function uncompress_tokens();

-- Rows that are there already are looked at as well, a few at a time.
alter table search_renewal drop constraint search_renewal_subject_check;
alter table search_renewal add constraint search_renewal_subject_check
  check (subject in ('transcript', 'script_correction', 'searchable_script'));
`;
