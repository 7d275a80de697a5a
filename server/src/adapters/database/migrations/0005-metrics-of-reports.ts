export const metricsOfReports = String.raw`
-- The key figures of a report, for lists and scripts, which need nothing else of its findings. Findings of earlier releases may
-- have escapes that jsonb refuses, of U+0000 and of halves of characters; they are in texts, and figures have none.
alter table report add column metrics jsonb generated always as (
  regexp_replace(findings::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::jsonb -> 'metrics'
) stored;
`;
