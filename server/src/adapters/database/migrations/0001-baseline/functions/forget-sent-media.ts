export const forgetSentMedia = `
create function forget_sent_media() returns trigger language plpgsql as $$
-- Media that were sent go with their transcription, however it ends.
begin
  delete from sent_media where transcription_id = old.id;
  return null;
end
$$;
create trigger transcription_media_used after update of state on transcription
  for each row when (new.state in ('done', 'failed') and new.owner is not null)
  execute function forget_sent_media();
create trigger transcription_media_removed after delete on transcription
  for each row when (old.owner is not null) execute function forget_sent_media();
`;
