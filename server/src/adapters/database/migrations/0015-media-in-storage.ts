/** Media that browsers sent may be in an object storage. */
export const mediaInStorage = `
-- object: the name in an object storage, which then has the bytes.
alter table sent_media_part alter column bytes drop not null;
alter table sent_media_part add column object text;
alter table sent_media_part add constraint sent_media_part_place_check check ((bytes is null) <> (object is null)) not valid;
`;
