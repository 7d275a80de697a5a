/** Translations of transcripts, which are made by transcriptions of their own. */
export const translations = `
-- translate_to: a translation is queued as soon as the transcript is there. translates: it writes the translation of this transcript,
-- whose language is its hint; it holds no unit.
alter table transcription add column translate_to text;
alter table transcription add column translates bigint references transcript on delete cascade;
create index transcription_translates on transcription (translates, number) where translates is not null;

-- translation_id: the transcription that translates it, for which its bytes are kept.
alter table file add column translate_to text;
alter table file add column translation_id text;
create index file_translation on file (translation_id) where translation_id is not null;

-- source_language: that of the transcript when it was translated. text: empty if most of the speech couldn't be translated.
create table translation (
  transcript_id bigint not null references transcript on delete cascade,
  language text not null check (language = 'en'),
  source_language text not null,
  text text not null,
  segments json not null,
  gaps json not null,
  model text not null,
  revision integer not null,
  created_at timestamptz not null,
  primary key (transcript_id, language)
);
`;
