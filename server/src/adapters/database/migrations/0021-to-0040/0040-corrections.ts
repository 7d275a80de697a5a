export const corrections = `
-- An account's own copy of a transcript with corrected words. The copy is whole, so that hearing the reel again changes nothing
-- in it. texts: one for each original segment, '' where it was removed. words: as in transcript, -1 for times that aren't known.
create table script_correction (
  script_number bigint primary key references script on delete cascade,
  texts json not null,
  text text not null,
  segments json not null,
  words integer[],
  original_text text not null,
  original_segments json not null,
  original_words integer[],
  language text not null,
  language_probability double precision,
  seconds double precision not null,
  speech_seconds double precision not null,
  truncated boolean not null,
  model text not null,
  created_at timestamptz not null,
  gaps json,
  revision integer,
  corrected_at timestamptz not null,
  token_version integer not null,
  tokens tsvector not null
);
create index script_correction_token_version on script_correction (token_version);

-- tokens are of the corrected text alone. Whoever indexes scripts by the shared transcript, as the release before does too, leaves
-- the words of corrected ones as they are: of the transcript come the words of its caption, which have the weight A, and the mark
-- of its handle. Language and length are those of the copy.
create function keep_corrected_tokens() returns trigger language plpgsql as $$
declare
  corrected tsvector;
  marks text[];
begin
  select tokens into corrected from script_correction where script_number = new.number;
  if found then
    select array_agg(lexeme) || ('#' || new.account_id) into marks
    from unnest(new.tokens) where positions is null and lexeme like '@%';
    begin
      new.tokens := ts_filter(new.tokens, '{a}') || corrected || array_to_tsvector(marks);
    exception when program_limit_exceeded then
      new.tokens := corrected || array_to_tsvector(marks);
    end;
  end if;
  return new;
end
$$;
create trigger script_corrected before update of tokens on script
for each row execute function keep_corrected_tokens();
`;
