/** Keeps the tokens of searches uncompressed, because each search would have to decompress all tokens of its library. */
export const uncompressedTokens = `
-- Rows that are there already are looked at as well, a few at a time.
alter table search_renewal drop constraint search_renewal_subject_check;
alter table search_renewal add constraint search_renewal_subject_check
  check (subject in ('transcript', 'script_correction', 'searchable_script'));
`;
