/** Loaded before the program, which it turns into the next release: one that only adds to the tables that every call reads. */
import { migrations, type Migration } from "#server/adapters/database/migrations/migrations.ts";

(migrations as Migration[]).push({
  name: "9999-next",
  isAdditive: true,
  sql: "alter table script add column starred boolean not null default false; alter table transcription add column starred_at timestamptz; create table star (id text primary key);",
});
