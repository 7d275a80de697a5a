export const interimText = `
-- What was recognized so far of a transcription that is running, a row for each stretch. It belongs to one attempt and is
-- gone when the attempt ends, however it ends.
create table interim_text (
  transcription_id text not null references transcription on delete cascade,
  number integer not null,
  attempt integer not null,
  language text not null,
  text text not null,
  primary key (transcription_id, number)
);

create function forget_interim_text() returns trigger language plpgsql as $$
begin
  delete from interim_text where transcription_id = new.id;
  return null;
end
$$;
create trigger transcription_interim_text after update of state, attempt on transcription
  for each row when (old.state = 'running' and (new.state <> 'running' or new.attempt <> old.attempt))
  execute function forget_interim_text();
`;
