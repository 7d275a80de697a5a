create table account (
  number bigint generated always as identity,
  id text not null,
  email text not null,
  name text,
  plan text not null,
  created_at timestamp with time zone not null,
  period_anchor timestamp with time zone,
  subscription_id text,
  paid_from timestamp with time zone,
  paid_until timestamp with time zone,
  suspended_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (number),
  CHECK (((paid_from IS NULL) = (paid_until IS NULL)))
);
CREATE INDEX account_email ON account (lower(email) COLLATE "C", id COLLATE "C");
CREATE TRIGGER account_removed_scripts BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION remove_deleted_scripts();

create table account_content (
  number bigint generated always as identity,
  account_id text not null,
  scripts integer not null default 0,
  unpacked integer not null default 0,
  changes bigint not null default 0,
  PRIMARY KEY (account_id),
  UNIQUE (number),
  CHECK ((scripts >= 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX account_content_to_pack ON account_content (number) WHERE (unpacked >= 500);

create table account_password (
  account_id text not null,
  hash text not null,
  changed_at timestamp with time zone not null,
  PRIMARY KEY (account_id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table allowance (
  account_id text not null,
  slot smallint not null,
  period text not null,
  used integer not null default 0,
  held integer not null default 0,
  PRIMARY KEY (account_id, slot, period),
  CHECK ((held >= 0)),
  CHECK (((slot >= 0) AND (slot <= 5))),
  CHECK ((used >= 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) with (fillfactor=80);

create table api_key (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  slot smallint not null,
  name text not null,
  hash bytea not null,
  last_four text not null,
  read_only boolean not null default false,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  address text,
  PRIMARY KEY (id),
  UNIQUE (hash),
  UNIQUE (number),
  CHECK (((slot >= 1) AND (slot <= 5))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX api_key_account ON api_key (account_id, number);
CREATE UNIQUE INDEX api_key_live_slot ON api_key (account_id, slot) WHERE (revoked_at IS NULL);
CREATE INDEX api_key_revoked_at ON api_key (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE TRIGGER key_webhooks AFTER UPDATE OF revoked_at ON api_key FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION disable_webhooks_of_key();

create table audit (
  number bigint generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  reason text not null,
  PRIMARY KEY (number),
  CHECK ((action = ANY (ARRAY['takeDownReel'::text, 'allowReel'::text, 'suspendAccount'::text, 'unsuspendAccount'::text, 'takeDownPage'::text, 'restorePage'::text])))
);

create table backup_mark (
  one boolean not null default true,
  at timestamp with time zone not null,
  PRIMARY KEY (one),
  CHECK (one)
);

create table batch (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  slot smallint not null,
  key_id text,
  language_hint text,
  fingerprint bytea not null,
  duplicates integer not null,
  created_at timestamp with time zone not null,
  since timestamp with time zone not null,
  next_at timestamp with time zone not null,
  waiting_for text,
  finished_at timestamp with time zone,
  finishes integer not null default 0,
  locate_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (number),
  CHECK ((waiting_for = ANY (ARRAY['rateLimit'::text, 'quota'::text, 'queue'::text, 'platform'::text]))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX batch_account ON batch (account_id, created_at DESC, number DESC);
CREATE INDEX batch_created ON batch (created_at);
CREATE INDEX batch_due ON batch (next_at) WHERE (finished_at IS NULL);
CREATE INDEX batch_open ON batch (account_id) WHERE (finished_at IS NULL);

create table batch_link (
  batch_id text not null,
  position integer not null,
  url text not null,
  platform text,
  media_id text,
  shortcode text,
  reel_url text,
  state text not null,
  cached boolean not null default false,
  tries smallint not null default 0,
  ask_at timestamp with time zone,
  transcription_id text,
  failure json,
  file_id text,
  PRIMARY KEY (batch_id, "position"),
  CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  CHECK (((state <> 'begun'::text) OR (transcription_id IS NOT NULL))),
  CHECK ((state = ANY (ARRAY['waiting'::text, 'begun'::text, 'done'::text, 'failed'::text, 'canceled'::text]))),
  FOREIGN KEY (batch_id) REFERENCES batch(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX batch_link_begun ON batch_link (batch_id, transcription_id) WHERE (state = 'begun'::text);
CREATE INDEX batch_link_file ON batch_link (batch_id) WHERE ((file_id IS NOT NULL) AND (state = 'waiting'::text));

create table billing_event (
  id text not null,
  account_id text,
  at timestamp with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX billing_event_account ON billing_event (account_id);
CREATE INDEX billing_event_at ON billing_event (at);

create table bio_batch (
  id text not null,
  at timestamp with time zone not null,
  PRIMARY KEY (id)
);
CREATE INDEX bio_batch_end ON bio_batch (at);

create table bio_day (
  bio_id text not null,
  day date not null,
  views bigint not null,
  clicks bigint not null,
  visitors bigint not null,
  clickers bigint not null,
  PRIMARY KEY (bio_id, day),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
);

create table bio_day_link (
  bio_id text not null,
  day date not null,
  link_id text not null,
  clicks bigint not null,
  PRIMARY KEY (bio_id, day, link_id),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE,
  FOREIGN KEY (link_id) REFERENCES bio_link(id) ON DELETE CASCADE
);
CREATE INDEX bio_day_link_link ON bio_day_link (link_id);

create table bio_day_view (
  bio_id text not null,
  day date not null,
  kind text not null,
  value text not null,
  views bigint not null,
  PRIMARY KEY (bio_id, day, kind, value),
  CHECK ((kind = ANY (ARRAY['referrer'::text, 'rest'::text, 'country'::text, 'device'::text]))),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
);

create table bio_event (
  number bigint generated always as identity,
  bio_id text not null,
  link_id text,
  day date not null,
  at timestamp with time zone not null,
  visitor bytea not null,
  referrer text,
  country text,
  device text not null,
  PRIMARY KEY (number),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE,
  FOREIGN KEY (link_id) REFERENCES bio_link(id) ON DELETE CASCADE
);
CREATE INDEX bio_event_day ON bio_event (bio_id, day);
CREATE INDEX bio_event_link ON bio_event (link_id) WHERE (link_id IS NOT NULL);

create table bio_exclusion (
  bio_id text not null,
  day date not null,
  reason text not null,
  requests bigint not null,
  PRIMARY KEY (bio_id, day, reason),
  CHECK ((reason = ANY (ARRAY['bots'::text, 'prefetch'::text, 'owner'::text, 'floods'::text]))),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
) with (fillfactor=80);

create table bio_former_handle (
  handle text not null,
  account_id text,
  held_until timestamp with time zone not null,
  PRIMARY KEY (handle),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX bio_former_handle_account ON bio_former_handle (account_id);
CREATE INDEX bio_former_handle_end ON bio_former_handle (held_until);

create table bio_image (
  id text not null,
  account_id text not null,
  large_webp bytea storage external,
  large_jpg bytea storage external,
  small_webp bytea storage external,
  small_jpg bytea storage external,
  object text,
  used_at timestamp with time zone not null,
  checked_at timestamp with time zone not null,
  PRIMARY KEY (id),
  CHECK (((object IS NOT NULL) OR ((large_webp IS NOT NULL) AND (large_jpg IS NOT NULL) AND (small_webp IS NOT NULL) AND (small_jpg IS NOT NULL)))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX bio_image_account ON bio_image (account_id);
CREATE INDEX bio_image_check ON bio_image (checked_at);
CREATE TRIGGER bio_image_objects_removed AFTER DELETE ON bio_image FOR EACH ROW WHEN ((old.object IS NOT NULL)) EXECUTE FUNCTION bio_image_objects_removed();

create table bio_link (
  number bigint generated always as identity,
  id text not null,
  bio_id text not null,
  title text not null,
  url text not null,
  deleted_at timestamp with time zone,
  check_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  checked_url text,
  problem text,
  failing_since timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (number),
  CHECK ((problem = ANY (ARRAY['gone'::text, 'unresolved'::text]))),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
);
CREATE INDEX bio_link_check ON bio_link (check_at) WHERE (deleted_at IS NULL);
CREATE INDEX bio_link_page ON bio_link (bio_id, number);

create table bio_page (
  id text not null,
  account_id text not null,
  handle text,
  revision integer not null default 0,
  content json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone,
  taken_down_at timestamp with time zone,
  is_listed boolean default ((((content -> 'seo'::text) ->> 'sitemap'::text) = 'true'::text) AND (((content -> 'seo'::text) ->> 'noindex'::text) IS DISTINCT FROM 'true'::text)),
  PRIMARY KEY (id),
  UNIQUE (account_id),
  UNIQUE (handle),
  CHECK ((revision >= 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX bio_page_listed ON bio_page (id) WHERE is_listed;

create table bio_recent_click (
  link_id text not null,
  visitor bytea not null,
  at timestamp with time zone not null,
  PRIMARY KEY (link_id, visitor),
  FOREIGN KEY (link_id) REFERENCES bio_link(id) ON DELETE CASCADE
);
CREATE INDEX bio_recent_click_end ON bio_recent_click (at);

create table bio_revision (
  bio_id text not null,
  revision integer not null,
  content json not null,
  changed_at timestamp with time zone,
  PRIMARY KEY (bio_id, revision),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
);

create table bio_salt (
  day date not null,
  salt bytea not null,
  PRIMARY KEY (day)
);

create table bio_visitor (
  bio_id text not null,
  day date not null,
  visitor bytea not null,
  clicked boolean not null,
  PRIMARY KEY (bio_id, day, visitor),
  FOREIGN KEY (bio_id) REFERENCES bio_page(id) ON DELETE CASCADE
);
CREATE INDEX bio_visitor_day ON bio_visitor (day);

create table deleted_script (
  number bigint not null,
  account_id text not null,
  transcript_id bigint not null,
  deleted_at timestamp with time zone not null,
  PRIMARY KEY (number),
  UNIQUE (account_id, transcript_id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (number) REFERENCES script(number) ON DELETE CASCADE
);
CREATE INDEX deleted_script_account ON deleted_script (account_id, deleted_at DESC, number DESC);
CREATE INDEX deleted_script_due ON deleted_script (deleted_at);

create table extension_code (
  code_hash bytea not null,
  account_id text not null,
  session_id text,
  challenge bytea not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (code_hash),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
CREATE INDEX extension_code_account ON extension_code (account_id);
CREATE INDEX extension_code_expires ON extension_code (expires_at);
CREATE INDEX extension_code_session ON extension_code (session_id);

create table file (
  id text not null,
  account_id text not null,
  slot smallint not null,
  token_hash bytea not null,
  name text not null,
  title text not null,
  language_hint text,
  size bigint not null,
  seconds double precision,
  sha256 bytea,
  units smallint not null,
  keep_days smallint not null,
  writer integer not null default 0,
  parts integer not null default 0,
  received bigint not null default 0,
  tail bytea not null default '\x'::bytea storage external,
  media_id text,
  transcription_id text,
  failure json,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  begin_at timestamp with time zone,
  ended_at timestamp with time zone,
  kept_until timestamp with time zone,
  deleted_at timestamp with time zone,
  deleted_bytes bigint,
  video_style text,
  translate_to text,
  translation_id text,
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  UNIQUE (transcription_id),
  CHECK ((keep_days >= 0)),
  CHECK ((size > 0)),
  CHECK ((units > 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX file_account ON file (account_id, created_at);
CREATE INDEX file_begin ON file (begin_at) WHERE (begin_at IS NOT NULL);
CREATE INDEX file_deleted ON file (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX file_kept ON file (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX file_open ON file (expires_at) WHERE (ended_at IS NULL);
CREATE INDEX file_stored ON file (account_id) WHERE (deleted_at IS NULL);
CREATE INDEX file_translation ON file (translation_id) WHERE (translation_id IS NOT NULL);

create table file_part (
  file_id text not null,
  number integer not null,
  bytes bytea storage external,
  object text,
  hash bytea not null,
  PRIMARY KEY (file_id, number),
  CHECK (((bytes IS NULL) <> (object IS NULL))),
  FOREIGN KEY (file_id) REFERENCES file(id) ON DELETE CASCADE
);
CREATE TRIGGER file_objects_removed AFTER DELETE ON file_part REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION file_objects_removed();

create table hold (
  transcription_id text not null,
  account_id text not null,
  slot smallint not null,
  period text not null,
  state text not null default 'held'::text,
  held_at timestamp with time zone not null,
  units smallint not null default 1,
  PRIMARY KEY (transcription_id),
  CHECK ((state = ANY (ARRAY['held'::text, 'charged'::text, 'refunded'::text]))),
  CHECK ((units > 0)),
  FOREIGN KEY (account_id, slot, period) REFERENCES allowance(account_id, slot, period) ON DELETE CASCADE,
  FOREIGN KEY (transcription_id) REFERENCES transcription(id) ON DELETE CASCADE
);
CREATE INDEX hold_allowance ON hold (account_id, slot, period);
CREATE INDEX hold_open ON hold (held_at) WHERE (state = 'held'::text);

create table idempotent_answer (
  account_id text not null,
  key text not null,
  token text not null,
  request bytea not null,
  at timestamp with time zone not null,
  accepted boolean,
  output json,
  PRIMARY KEY (account_id, key),
  UNIQUE (token),
  CHECK (((accepted IS NULL) = (output IS NULL))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX idempotent_answer_at ON idempotent_answer (at);

create table identity (
  issuer text not null,
  subject text not null,
  account_id text not null,
  PRIMARY KEY (issuer, subject),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX identity_account ON identity (account_id);

create table interim_text (
  transcription_id text not null,
  number integer not null,
  attempt integer not null,
  language text not null,
  text text not null,
  PRIMARY KEY (transcription_id, number),
  FOREIGN KEY (transcription_id) REFERENCES transcription(id) ON DELETE CASCADE
);

create table invitation (
  token_hash bytea not null,
  account_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX invitation_account ON invitation (account_id);
CREATE INDEX invitation_expires ON invitation (expires_at);

create table invitation_note (
  number bigint generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  account_id text not null,
  is_reset boolean not null,
  reason text not null,
  PRIMARY KEY (number)
);

create table key_request (
  key_id text not null,
  requests json not null,
  PRIMARY KEY (key_id),
  FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE CASCADE
) with (fillfactor=60);

create table machine_clock (
  name text not null,
  server_ahead double precision not null,
  seen_at timestamp with time zone not null,
  reads_times boolean not null default false,
  PRIMARY KEY (name)
) with (fillfactor=50);

create table migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  additive boolean,
  PRIMARY KEY (number)
);

create table neighbor_away (
  neighbor text not null,
  name text not null,
  until timestamp with time zone not null,
  PRIMARY KEY (neighbor, name),
  CHECK ((neighbor = ANY (ARRAY['platform'::text, 'recognizer'::text, 'storage'::text])))
) with (fillfactor=50);

create table oauth_artifact (
  kind text not null,
  hash bytea not null,
  key_id text,
  grant_hash bytea,
  payload json not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (kind, hash),
  FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE CASCADE
);
CREATE INDEX oauth_artifact_expires ON oauth_artifact (expires_at);
CREATE INDEX oauth_artifact_grant ON oauth_artifact (grant_hash) WHERE (grant_hash IS NOT NULL);
CREATE INDEX oauth_artifact_key ON oauth_artifact (key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX oauth_artifact_used ON oauth_artifact (grant_hash, COALESCE(((payload ->> 'rotations'::text))::integer, 0)) WHERE ((kind = 'RefreshToken'::text) AND (consumed_at IS NOT NULL));

create table operator_note (
  number bigint generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  reason text not null,
  PRIMARY KEY (number)
);

create table payment (
  invoice_id text not null,
  account_id text not null,
  subscription_id text not null,
  starts_at timestamp with time zone,
  PRIMARY KEY (invoice_id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX payment_account ON payment (account_id, starts_at);

create table plan_change (
  number bigint generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  account_id text not null,
  plan text not null,
  reason text not null,
  PRIMARY KEY (number)
);

create table platform_pace (
  platform text not null,
  exit text not null,
  free_at timestamp with time zone not null,
  PRIMARY KEY (platform, exit)
) with (fillfactor=50);

create table post_allowance (
  account_id text not null,
  period text not null,
  used integer not null,
  PRIMARY KEY (account_id, period),
  CHECK ((used >= 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) with (fillfactor=80);

create table queue_account (
  account_id text not null,
  waiting integer not null default 0,
  running integer not null default 0,
  last_served_at timestamp with time zone not null,
  is_waiting boolean not null default (waiting > 0),
  PRIMARY KEY (account_id)
) with (fillfactor=60);
CREATE INDEX queue_account_next ON queue_account (running, last_served_at) WHERE is_waiting;

create table queue_drain (
  one boolean not null default true,
  since timestamp with time zone not null,
  PRIMARY KEY (one),
  CHECK (one)
);

create table queue_length (
  part smallint not null,
  open integer not null default 0,
  PRIMARY KEY (part)
) with (fillfactor=40);

create table rate_limit (
  subject text not null,
  at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  buckets integer[] not null default '{}'::integer[],
  calls integer[] not null default '{}'::integer[],
  used integer[] not null default '{0,0,0,0}'::integer[],
  PRIMARY KEY (subject)
) with (fillfactor=60);

create table refusal (
  platform text not null,
  media_id text not null,
  owner text,
  model text not null,
  until timestamp with time zone not null,
  failure json not null,
  UNIQUE NULLS NOT DISTINCT (platform, media_id, owner, model),
  FOREIGN KEY (owner) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX refusal_owner ON refusal (owner) WHERE (owner IS NOT NULL);

create table remembered_use (
  fingerprint bytea not null,
  units integer[] not null,
  posts integer not null,
  removed_on date not null,
  page_taken_down_at timestamp with time zone,
  PRIMARY KEY (fingerprint),
  CHECK ((posts >= 0)),
  CHECK ((cardinality(units) = 6))
);
CREATE INDEX remembered_use_end ON remembered_use (removed_on);

create table removed_account (
  id text not null,
  PRIMARY KEY (id)
);

create table removed_object (
  name text not null,
  not_before timestamp with time zone not null default '-infinity'::timestamp with time zone,
  PRIMARY KEY (name)
);
CREATE INDEX removed_object_next ON removed_object (not_before);

create table report (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  handle text not null,
  created_at timestamp with time zone not null,
  reels_analyzed integer not null,
  timezone text not null,
  findings json not null,
  metrics jsonb default ((regexp_replace((findings)::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})'::text, '\1'::text, 'g'::text))::jsonb -> 'metrics'::text),
  reel_url text default "substring"((findings)::text, '"url"\s*:\s*"([^"\\]*)"'::text),
  PRIMARY KEY (number),
  UNIQUE (id),
  CHECK ((reels_analyzed >= 0)),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX report_by_date ON report (account_id, created_at DESC, number DESC);
CREATE INDEX report_by_handle ON report (account_id, handle, created_at DESC, number DESC);
CREATE TRIGGER report_added AFTER INSERT ON report FOR EACH ROW EXECUTE FUNCTION count_added_report();

create table report_link (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  report_number bigint not null,
  token text not null,
  title text,
  created_at timestamp with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (number),
  UNIQUE (report_number),
  UNIQUE (token),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (report_number) REFERENCES report(number) ON DELETE CASCADE
);
CREATE INDEX report_link_account ON report_link (account_id, number);

create table retranscription_run (
  id bigint generated always as identity,
  revision integer,
  recognizer_revision integer not null,
  state text not null default 'running'::text,
  position bigint not null default 0,
  total bigint not null,
  started_at timestamp with time zone not null,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['running'::text, 'stopped'::text, 'done'::text])))
);
CREATE UNIQUE INDEX retranscription_run_one ON retranscription_run (state) WHERE (state = 'running'::text);

create table saved_search (
  id text not null,
  account_id text not null,
  name text not null,
  folded text not null,
  search json not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (account_id, folded),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table script (
  number bigint generated always as identity,
  id text not null,
  account_id text,
  transcript_id bigint not null,
  added_at timestamp with time zone not null,
  views bigint,
  engagement_rate double precision,
  handle text,
  tags integer not null default 0,
  PRIMARY KEY (number),
  UNIQUE (account_id, transcript_id),
  UNIQUE (id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (transcript_id) REFERENCES transcript(id)
);
CREATE INDEX script_by_date ON script (account_id, added_at DESC, number DESC);
CREATE INDEX script_by_engagement ON script (account_id, engagement_rate DESC NULLS LAST, number DESC);
CREATE INDEX script_by_handle ON script (account_id, handle);
CREATE INDEX script_by_number ON script (account_id, number);
CREATE INDEX script_by_views ON script (account_id, views DESC NULLS LAST, number DESC);
CREATE INDEX script_transcript ON script (transcript_id);
CREATE TRIGGER script_added AFTER INSERT ON script REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_scripts();
CREATE TRIGGER script_removed AFTER DELETE ON script REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_scripts();
CREATE TRIGGER script_removed_owned AFTER DELETE ON script REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION forget_owned_transcripts();
CREATE TRIGGER script_requested BEFORE INSERT ON script FOR EACH ROW EXECUTE FUNCTION restore_requested_script();

create table script_correction (
  script_number bigint not null,
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
  created_at timestamp with time zone not null,
  gaps json not null,
  revision integer not null,
  corrected_at timestamp with time zone not null,
  tokens tsvector not null,
  PRIMARY KEY (script_number),
  FOREIGN KEY (script_number) REFERENCES script(number) ON DELETE CASCADE
);

create table script_export (
  number bigint generated always as identity,
  hash bytea not null,
  account_id text not null,
  search json not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (hash),
  UNIQUE (number),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX script_export_account ON script_export (account_id, number);
CREATE INDEX script_export_due ON script_export (expires_at);

create table search_renewal (
  subject text not null,
  revision integer not null,
  after bigint not null,
  PRIMARY KEY (subject),
  CHECK ((subject = ANY (ARRAY['transcript'::text, 'script_correction'::text, 'searchable_script'::text])))
);

create table searchable_script (
  number bigint not null,
  library bigint not null,
  added_at timestamp with time zone not null,
  views bigint,
  engagement_rate double precision,
  packed boolean not null,
  tokens tsvector not null storage external,
  PRIMARY KEY (number),
  FOREIGN KEY (number) REFERENCES script(number) ON DELETE CASCADE
) with (toast_tuple_target=8160);
CREATE INDEX searchable_script_library ON searchable_script (library);
CREATE INDEX searchable_script_unpacked ON searchable_script (library) WHERE (NOT packed);
CREATE TRIGGER searchable_script_empty AFTER INSERT OR UPDATE OF tokens ON searchable_script FOR EACH ROW WHEN ((new.tokens = ''::tsvector)) EXECUTE FUNCTION note_unindexed_script();
CREATE TRIGGER searchable_script_uncompressed BEFORE INSERT OR UPDATE OF tokens ON searchable_script FOR EACH ROW WHEN ((pg_column_compression(new.tokens) IS NOT NULL)) EXECUTE FUNCTION uncompress_tokens();

create table sent_hour (
  account_id text not null,
  since timestamp with time zone not null,
  bytes bigint not null,
  PRIMARY KEY (account_id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table sent_media (
  id text not null,
  account_id text not null,
  transcription_id text,
  bytes bigint not null default 0,
  expires_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (transcription_id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX sent_media_account ON sent_media (account_id);
CREATE UNIQUE INDEX sent_media_arriving ON sent_media (account_id) WHERE (transcription_id IS NULL);

create table sent_media_part (
  media_id text not null,
  number integer not null,
  bytes bytea storage external,
  object text,
  PRIMARY KEY (media_id, number),
  CHECK (((bytes IS NULL) <> (object IS NULL))) NOT VALID,
  FOREIGN KEY (media_id) REFERENCES sent_media(id) ON DELETE CASCADE
);
CREATE TRIGGER sent_media_objects_removed AFTER DELETE ON sent_media_part REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sent_media_objects_removed();

create table session (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  kind text not null default 'browser'::text,
  hash bytea not null,
  next_hash bytea,
  previous_hash bytea,
  browser text,
  id_token text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  renewed_at timestamp with time zone not null,
  offered_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (hash),
  UNIQUE (next_hash),
  UNIQUE (number),
  UNIQUE (previous_hash),
  CHECK ((kind = ANY (ARRAY['browser'::text, 'extension'::text]))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX session_account ON session (account_id, number);
CREATE INDEX session_expires ON session (expires_at);

create table share_link (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  script_number bigint not null,
  token text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (number),
  UNIQUE (script_number),
  UNIQUE (token),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (script_number) REFERENCES script(number) ON DELETE CASCADE
);
CREATE INDEX share_link_account ON share_link (account_id, number);

create table sign_in_attempt (
  state_hash bytea not null,
  browser_hash bytea not null,
  verifier text not null,
  nonce text not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (state_hash)
);
CREATE INDEX sign_in_attempt_expires ON sign_in_attempt (expires_at);

create table storage_form (
  one boolean not null default true,
  since timestamp with time zone not null,
  after bigint not null default 0,
  transcripts bigint not null default 0,
  bytes_before bigint not null default 0,
  bytes_after bigint not null default 0,
  PRIMARY KEY (one),
  CHECK (one)
);

create table subscription (
  id text not null,
  account_id text not null,
  customer_id text,
  plan text not null,
  status text not null,
  created_at timestamp with time zone not null,
  period_end timestamp with time zone not null,
  cancels_at timestamp with time zone,
  version integer not null,
  read_at timestamp with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX subscription_account ON subscription (account_id, created_at);
CREATE INDEX subscription_period_end ON subscription (period_end);

create table tag (
  account_id text not null,
  slot smallint not null,
  name text not null,
  folded text not null,
  PRIMARY KEY (account_id, slot),
  UNIQUE (account_id, folded),
  CHECK (((slot >= 0) AND (slot <= 19))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table takedown (
  platform text not null,
  media_id text not null,
  PRIMARY KEY (platform, media_id)
);

create table task_lease (
  name text not null,
  holder text,
  lease_until timestamp with time zone,
  PRIMARY KEY (name)
);

create table thumbnail (
  platform text not null,
  media_id text not null,
  bytes bytea storage external,
  object text,
  width integer not null,
  height integer not null,
  made_at timestamp with time zone not null,
  PRIMARY KEY (platform, media_id),
  CHECK (((bytes IS NULL) <> (object IS NULL))),
  CHECK ((height > 0)),
  CHECK ((width > 0))
);
CREATE INDEX thumbnail_made_at ON thumbnail (made_at);
CREATE TRIGGER thumbnail_allowed BEFORE INSERT ON thumbnail FOR EACH ROW EXECUTE FUNCTION skip_taken_down();
CREATE TRIGGER thumbnail_object_removed AFTER DELETE ON thumbnail FOR EACH ROW WHEN ((old.object IS NOT NULL)) EXECUTE FUNCTION thumbnail_object_removed();

create table transcript (
  id bigint generated always as identity,
  platform text not null,
  media_id text not null,
  owner text,
  reel json not null,
  handle text,
  text text not null,
  segments json not null,
  words integer[],
  gaps json not null,
  language text not null,
  language_probability double precision,
  seconds double precision not null,
  speech_seconds double precision not null,
  truncated boolean not null,
  model text not null,
  revision integer not null,
  heard_by text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  views bigint,
  engagement_rate double precision,
  tokens tsvector not null,
  times bytea,
  PRIMARY KEY (id),
  UNIQUE NULLS NOT DISTINCT (platform, media_id, owner),
  FOREIGN KEY (owner) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX transcript_owner ON transcript (owner) WHERE (owner IS NOT NULL);
CREATE TRIGGER transcript_allowed BEFORE INSERT ON transcript FOR EACH ROW EXECUTE FUNCTION skip_taken_down();
CREATE TRIGGER transcript_replaces AFTER INSERT ON transcript FOR EACH ROW EXECUTE FUNCTION replace_owned_transcripts();

create table transcription (
  number bigint generated always as identity,
  id text not null,
  account_id text,
  platform text not null,
  media_id text not null,
  owner text,
  shortcode text not null,
  url text not null,
  language_hint text,
  state text not null default 'queued'::text,
  attempt integer not null default 0,
  tries_left smallint not null default 2,
  crashes smallint not null default 0,
  setbacks smallint not null default 0,
  avoid_worker text,
  avoid_until timestamp with time zone,
  worker text,
  lease_until timestamp with time zone,
  progress double precision not null default 0,
  waits boolean not null default false,
  failure json,
  queued_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  retranscribes bigint,
  retranscription_run bigint,
  retranscription_outcome text,
  retranscription_answered boolean not null default false,
  resume_at timestamp with time zone,
  away_since timestamp with time zone,
  request_id text,
  request_span text,
  waiting_for text,
  ended_by_function boolean not null default false,
  is_batched boolean not null default false,
  translate_to text,
  translates bigint,
  PRIMARY KEY (id),
  UNIQUE (number),
  CHECK (((state = 'running'::text) = (lease_until IS NOT NULL))),
  CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  CHECK ((retranscription_outcome = ANY (ARRAY['replaced'::text, 'empty'::text, 'shorterAudio'::text, 'notFewerGaps'::text, 'fewerWords'::text]))),
  CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  CHECK ((tries_left >= 0)),
  CHECK ((waiting_for = ANY (ARRAY['platform'::text, 'recognizer'::text, 'storage'::text]))) NOT VALID,
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  FOREIGN KEY (owner) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (retranscribes) REFERENCES transcript(id) ON DELETE SET NULL,
  FOREIGN KEY (retranscription_run) REFERENCES retranscription_run(id),
  FOREIGN KEY (translates) REFERENCES transcript(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX transcription_account ON transcription (account_id, queued_at DESC, number DESC);
CREATE UNIQUE INDEX transcription_one_per_reel ON transcription (platform, media_id, owner) NULLS NOT DISTINCT WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX transcription_owner ON transcription (owner) WHERE (owner IS NOT NULL);
CREATE INDEX transcription_retranscribes ON transcription (retranscribes, number) WHERE (retranscribes IS NOT NULL);
CREATE INDEX transcription_retranscription_run ON transcription (retranscription_run) WHERE (retranscription_run IS NOT NULL);
CREATE INDEX transcription_running ON transcription (lease_until) WHERE (state = 'running'::text);
CREATE INDEX transcription_spent ON transcription (queued_at, number) WHERE ((state = ANY (ARRAY['queued'::text, 'running'::text])) AND (tries_left = 0));
CREATE INDEX transcription_translates ON transcription (translates, number) WHERE (translates IS NOT NULL);
CREATE INDEX transcription_waiting ON transcription (COALESCE(account_id, ''::text), queued_at, number) WHERE ((state = 'queued'::text) AND (tries_left > 0));
CREATE TRIGGER follow_queue_2 BEFORE UPDATE OF state, account_id ON transcription FOR EACH ROW WHEN ((((old.state IS DISTINCT FROM new.state) OR (old.account_id IS DISTINCT FROM new.account_id)) AND (NOT new.ended_by_function))) EXECUTE FUNCTION follow_queue();
CREATE TRIGGER follow_queue_at_removal AFTER DELETE ON transcription FOR EACH ROW WHEN ((old.state = ANY (ARRAY['queued'::text, 'running'::text]))) EXECUTE FUNCTION follow_queue();
CREATE TRIGGER follow_queue_at_start AFTER INSERT ON transcription FOR EACH ROW EXECUTE FUNCTION follow_queue();
CREATE TRIGGER transcription_allowed BEFORE INSERT ON transcription FOR EACH ROW EXECUTE FUNCTION refuse_transcription();
CREATE TRIGGER transcription_interim_text_2 AFTER UPDATE OF state, attempt ON transcription FOR EACH ROW WHEN (((old.state = 'running'::text) AND ((new.state <> 'running'::text) OR (new.attempt <> old.attempt)) AND (NOT new.ended_by_function))) EXECUTE FUNCTION forget_interim_text();
CREATE TRIGGER transcription_media_removed AFTER DELETE ON transcription FOR EACH ROW WHEN ((old.owner IS NOT NULL)) EXECUTE FUNCTION forget_sent_media();
CREATE TRIGGER transcription_media_used_2 AFTER UPDATE OF state ON transcription FOR EACH ROW WHEN (((new.state = ANY (ARRAY['done'::text, 'failed'::text])) AND (new.owner IS NOT NULL) AND (NOT new.ended_by_function))) EXECUTE FUNCTION forget_sent_media();
CREATE TRIGGER transcription_webhooks_2 AFTER UPDATE OF state ON transcription FOR EACH ROW WHEN (((new.account_id IS NOT NULL) AND (new.state = ANY (ARRAY['done'::text, 'failed'::text])) AND (old.state = ANY (ARRAY['queued'::text, 'running'::text])) AND (NOT new.ended_by_function))) EXECUTE FUNCTION add_webhook_deliveries();

create table translation (
  transcript_id bigint not null,
  language text not null,
  source_language text not null,
  text text not null,
  segments json not null,
  gaps json not null,
  model text not null,
  revision integer not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (transcript_id, language),
  CHECK ((language = 'en'::text)),
  FOREIGN KEY (transcript_id) REFERENCES transcript(id) ON DELETE CASCADE
);

create table unindexed_script (
  number bigint not null,
  PRIMARY KEY (number),
  FOREIGN KEY (number) REFERENCES script(number) ON DELETE CASCADE
);

create table video (
  id text not null,
  account_id text not null,
  file_id text not null,
  script_id text not null,
  style text not null,
  subtitles text,
  seconds double precision not null,
  state text not null default 'queued'::text,
  attempt integer not null default 0,
  tries_left smallint not null,
  progress double precision not null default 0,
  worker text,
  lease_until timestamp with time zone,
  resume_at timestamp with time zone,
  started_at timestamp with time zone,
  failure json,
  lacks_letters boolean not null default false,
  size bigint,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  kept_until timestamp with time zone,
  deleted_at timestamp with time zone,
  deleted_bytes bigint,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (file_id) REFERENCES file(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX video_account ON video (account_id, created_at);
CREATE INDEX video_ended ON video (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX video_file ON video (file_id);
CREATE INDEX video_kept ON video (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX video_open ON video (created_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE UNIQUE INDEX video_running ON video (account_id) WHERE (state = 'running'::text);
CREATE INDEX video_served ON video (account_id, started_at);

create table video_part (
  video_id text not null,
  number integer not null,
  attempt integer not null,
  bytes bytea storage external,
  object text,
  PRIMARY KEY (video_id, number),
  CHECK (((bytes IS NULL) <> (object IS NULL))),
  FOREIGN KEY (video_id) REFERENCES video(id) ON DELETE CASCADE
);
CREATE TRIGGER video_objects_removed AFTER DELETE ON video_part REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION file_objects_removed();

create table webhook (
  number bigint generated always as identity,
  id text not null,
  account_id text not null,
  url text not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  busy_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  last_at timestamp with time zone,
  last_event text,
  last_status integer,
  last_problem text,
  former_secret bytea,
  former_until timestamp with time zone,
  redelivered integer not null default 0,
  redelivered_since timestamp with time zone not null default '-infinity'::timestamp with time zone,
  key_id text,
  PRIMARY KEY (id),
  UNIQUE (number),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE SET NULL
);
CREATE INDEX webhook_account ON webhook (account_id, number);
CREATE INDEX webhook_key ON webhook (key_id) WHERE (key_id IS NOT NULL);

create table webhook_delivery (
  id text not null,
  webhook_id text not null,
  event text not null,
  transcription_id text,
  reel_url text,
  created_at timestamp with time zone not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  last_at timestamp with time zone,
  last_status integer,
  last_problem text,
  batch_id text,
  PRIMARY KEY (id),
  FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_id, due_at) WHERE (settled_at IS NULL);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, created_at DESC);

create table worker (
  name text not null,
  seen_at timestamp with time zone not null,
  is_well boolean not null,
  makes_videos boolean not null default false,
  PRIMARY KEY (name)
) with (fillfactor=50);

CREATE OR REPLACE FUNCTION add_script(new_id text, of_account text, of_transcript bigint, moment timestamp with time zone, brought tsvector)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
-- Adds a transcript to an account's library. Answers the id of its script: the one that is there, the deleted one, which comes
-- back, or a new one. brought: what finds the transcript, if the caller knows.
declare
  script_id text;
begin
  select id into script_id from script where account_id = of_account and transcript_id = of_transcript;
  if found then return script_id; end if;

  select s.id into script_id from deleted_script as d join script as s on s.number = d.number
  where d.account_id = of_account and d.transcript_id = of_transcript;
  if found then
    perform restore_scripts_2(of_account, array[script_id], brought);
    if found then return script_id; end if;
  end if;

  -- The script comes before its account's counts, as wherever both are changed. It is searchable in the same statement, so that
  -- the trigger script_added leaves it alone. An account that is being deleted counts nothing, and its key refuses the script.
  with added as (
    insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
    select new_id, of_account, t.id, moment, t.views, t.engagement_rate, t.handle
    from transcript as t where t.id = of_transcript
    on conflict (account_id, transcript_id) do nothing
    returning number, account_id, added_at, views, engagement_rate
  )
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select added.number, counted.library, added.added_at, added.views, added.engagement_rate, false,
    shared_tokens_2(of_transcript, brought)
  from added cross join lateral (select change_content(added.account_id, 1) as library) as counted
  where counted.library is not null;

  return (select id from script where account_id = of_account and transcript_id = of_transcript);
end
$function$
;

CREATE OR REPLACE FUNCTION add_to_queue_length(account text, change integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- Changes the part of the queue's length that counts this account.
begin
  update queue_length set open = open + change where part = (hashtext(account) & 15);
end
$function$
;

CREATE OR REPLACE FUNCTION add_webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- For processes of the release before: notifies the account's endpoints of the end of a transcription, in the transaction that ends it, so that no crash comes
-- between. A transcription ends once. The endpoints are locked: one that is being deleted is waited for and left out,
-- instead of failing the statement. For a disabled endpoint they are kept until it is enabled.
begin
  insert into webhook_delivery (id, webhook_id, event, transcription_id, reel_url, created_at, due_at)
  select 'msg_' || split_part(new.id, '_', 2) || '_' || split_part(w.id, '_', 2), w.id, 'transcription.' || new.state,
    new.id, new.url, new.finished_at, new.finished_at
  from webhook as w join account as a on a.id = w.account_id
  where w.account_id = new.account_id and a.suspended_at is null
  order by w.number
  for key share of w
  on conflict (id) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION bio_image_objects_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Whoever deletes an image of a bio page leaves its objects to be removed.
begin
  insert into removed_object (name)
  select old.object || '.' || form from unnest(array['large.webp', 'large.jpg', 'small.webp', 'small.jpg']) as form
  on conflict (name) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION change_content(of_account text, difference integer, OUT library bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
-- Counts a change of an account's content, and says which library is its own. Whoever changes it waits here for the one
-- before. Nothing is counted for an account that is being deleted.
begin
  update account_content
  set scripts = scripts + difference, unpacked = unpacked + greatest(difference, 0), changes = changes + 1
  where account_id = of_account
  returning number into library;
  if not found and exists (select from account where id = of_account) then
    insert into account_content as c (account_id, scripts, unpacked, changes)
    values (of_account, difference, greatest(difference, 0), 1)
    on conflict (account_id) do update
    set scripts = c.scripts + difference, unpacked = c.unpacked + greatest(difference, 0), changes = c.changes + 1
    returning number into library;
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION claim_next(worker_name text, lease_seconds double precision, moment timestamp with time zone, alone boolean, away text[])
 RETURNS SETOF transcription
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it. They would find no bytes in media that are in an object storage.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, false, false);
end
$function$
;

CREATE OR REPLACE FUNCTION claim_next(worker_name text, lease_seconds double precision, moment timestamp with time zone, alone boolean, away text[], reads_objects boolean)
 RETURNS SETOF transcription
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it. They know nothing of files and would find no bytes.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, reads_objects, false);
end
$function$
;

CREATE OR REPLACE FUNCTION claim_next(worker_name text, lease_seconds double precision, moment timestamp with time zone, alone boolean, away text[], reads_objects boolean, reads_files boolean)
 RETURNS SETOF transcription
 LANGUAGE plpgsql
AS $function$
-- Gives a worker what is next: first a reel whose lease ran out, then one of the account that is next. What was in hand at
-- a crash is given only to a worker that has nothing else in hand, because it may crash again; until then that worker
-- gets nothing. Each reel is given to one worker. Of the platforms that are away nothing is given but what was sent. An account's
-- transcripts come before its translations. Workers that don't read files don't translate either.
declare
  candidate record;
  chosen record;
  free boolean;
begin
  select id, account_id into chosen
  from transcription
  where state = 'running' and lease_until <= moment and tries_left > 0
    and (reads_objects or owner is null or not is_in_storage(id))
    and (reads_files or platform <> 'file' and translates is null)
  order by queued_at, number
  limit 1
  for update skip locked;
  if found then
    if alone then
      return query update transcription
        set attempt = attempt + 1, tries_left = tries_left - 1, crashes = crashes + 1, progress = 0, waits = false, waiting_for = null,
          worker = worker_name, lease_until = moment + make_interval(secs => lease_seconds)
        where id = chosen.id
        returning *;
      update queue_account set last_served_at = greatest(last_served_at, moment)
      where queue_account.account_id = coalesce(chosen.account_id, '');
    end if;
    return;
  end if;

  -- In the second round without minding that others claim for the same account at this moment.
  for round in 1 .. 2 loop
    for candidate in
      -- The first nearly always has one. The limit makes the planner read the index and not sort them all.
      select q.account_id as name from queue_account as q where q.is_waiting order by q.running, q.last_served_at
      limit 100
    loop
      for kind in 0 .. 1 loop
        select t.id, t.crashes into chosen
        from transcription as t
        where coalesce(t.account_id, '') = candidate.name and t.state = 'queued' and t.tries_left > 0
          and (t.translates is not null) = (kind = 1)
          and (t.avoid_worker is distinct from worker_name or t.avoid_until <= moment)
          -- Nobody waits so long: a clock was wrong.
          and (t.resume_at is null or t.resume_at <= moment or t.resume_at > moment + interval '1 hour')
          and (t.owner is not null or t.platform <> all (away))
          and (reads_objects or t.owner is null or not is_in_storage(t.id))
          and (reads_files or t.platform <> 'file' and t.translates is null)
        order by t.queued_at, t.number
        limit 1
        for update skip locked;
        exit when chosen.id is not null;
      end loop;
      continue when chosen.id is null;
      if round = 1 then
        select true into free from queue_account as q where q.account_id = candidate.name for update skip locked;
        continue when not found;
      end if;
      if chosen.crashes = 0 or alone then
        return query update transcription as t
          set state = 'running', attempt = t.attempt + 1, tries_left = t.tries_left - 1, progress = 0, waits = false, waiting_for = null,
            worker = worker_name, lease_until = moment + make_interval(secs => lease_seconds)
          where t.id = chosen.id
          returning t.*;
        update queue_account as q set last_served_at = greatest(q.last_served_at, moment)
        where q.account_id = candidate.name;
      end if;
      return;
    end loop;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION claim_transcription(worker_name text, lease_seconds double precision, moment timestamp with time zone, alone boolean)
 RETURNS SETOF transcription
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, '{}');
end
$function$
;

CREATE OR REPLACE FUNCTION count_added_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Counts a new report as a change of its account's content.
begin
  perform change_content(new.account_id, 0);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION count_added_scripts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Counts new scripts and makes them searchable, as they are by now: another trigger may have given them the transcript
-- that everybody has. Those that add_script added are searchable already, and counted.
declare
  one record;
  library_number bigint;
begin
  for one in
    select account_id, count(*)::integer as scripts from added
    where not exists (select from searchable_script as f where f.number = added.number)
    group by account_id order by account_id
  loop
    library_number := change_content(one.account_id, one.scripts);
    insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, shared_tokens(s.transcript_id)
    from added as a join script as s on s.number = a.number
    where a.account_id = one.account_id
      and not exists (select from searchable_script as f where f.number = a.number);
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION count_in_queue(account text, waits integer, runs integer, since timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- Adds to what an account has in the queue. An account that was quiet comes in as if it had been served five minutes
-- before since: before all that were served after that, but not before those that have waited longer.
begin
  insert into queue_account as q (account_id, waiting, running, last_served_at)
  values (account, waits, runs, since - interval '5 minutes')
  on conflict (account_id) do update
  set waiting = q.waiting + waits, running = q.running + runs,
    last_served_at = case
      when q.waiting = 0 and waits > 0 then greatest(q.last_served_at, excluded.last_served_at)
      else q.last_served_at
    end;
end
$function$
;

CREATE OR REPLACE FUNCTION count_removed_scripts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Counts scripts that are gone.
declare one record;
begin
  for one in
    select account_id, count(*)::integer as scripts from removed group by account_id order by account_id
  loop
    perform change_content(one.account_id, -one.scripts);
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION delete_file_bytes(of_file text, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- Deletes what is stored of a file, and notes when and how much as a receipt.
begin
  update file as f set deleted_at = moment, deleted_bytes = f.received, kept_until = null, tail = ''
  where f.id = of_file and f.deleted_at is null;
  delete from file_part where file_id = of_file;
end
$function$
;

CREATE OR REPLACE FUNCTION delete_scripts(of_account text, script_ids text[], moment timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
-- Takes scripts out of a library for a while, and answers their ids. The table comes before its rows, as in a takedown.
declare
  deleted integer;
begin
  lock table script in row exclusive mode;
  perform from script where account_id = of_account and id = any(script_ids) order by number for update;
  -- The same reel may have been deleted before.
  delete from script as earlier using deleted_script as d, script as s
  where d.account_id = of_account and earlier.number = d.number
    and s.account_id = of_account and s.id = any(script_ids) and s.transcript_id = d.transcript_id;
  return query
  with gone as (
    update script set account_id = null where account_id = of_account and id = any(script_ids)
    returning number, id, transcript_id
  ), unlisted as (
    delete from searchable_script as f using gone where f.number = gone.number
  ), unshared as (
    delete from share_link as l using gone where l.script_number = gone.number
  ), noted as (
    insert into deleted_script (number, account_id, transcript_id, deleted_at)
    select gone.number, of_account, gone.transcript_id, moment from gone
  )
  select gone.id from gone;
  get diagnostics deleted = row_count;
  if deleted > 0 then
    perform change_content(of_account, -deleted);
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION disable_webhooks_of_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Whoever had the key hears nothing more, however it was revoked. A person who enables the endpoint takes it over.
begin
  update webhook set disabled_at = new.revoked_at where key_id = new.id and disabled_at is null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION end_file(transcribed text, is_done boolean, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- The bytes of an account's file go when its transcription ends, unless the account keeps them for some days. Whether they are
-- needed for a translation, queue_translation decides.
declare
  ended file;
begin
  update file as f set ended_at = moment,
    kept_until = case when is_done and f.keep_days > 0 then moment + make_interval(days => f.keep_days) end
  where f.transcription_id = transcribed and f.ended_at is null
  returning * into ended;
  if ended.id is not null and ended.kept_until is null and (not is_done or ended.translate_to is null) then
    perform delete_file_bytes(ended.id, moment);
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION end_transcription(ended_id text, of_attempt integer, moment timestamp with time zone, reason json, charged boolean, for_account boolean DEFAULT false, outcome text DEFAULT NULL::text)
 RETURNS SETOF transcription
 LANGUAGE plpgsql
AS $function$
-- Ends a queued or running transcription and does all that follows, or nothing if it has ended or has another attempt. Answers
-- the ended row. Rows are locked in the order transcription, queue_account, queue_length, allowance, wherever more than one is.
declare
  was transcription;
  ended transcription;
  settled hold;
begin
  select * into was from transcription
  where id = ended_id and (
    case when of_attempt is null then state in ('queued', 'running') else state = 'running' and attempt = of_attempt end
  )
  for update;
  if not found then return; end if;

  update transcription
  set state = case when reason is null then 'done' else 'failed' end, failure = reason,
    progress = case when reason is null then 1 else progress end, lease_until = null, worker = null, finished_at = moment,
    owner = case when for_account then account_id else owner end, retranscription_outcome = outcome,
    crashes = crashes + (of_attempt is null and was.state = 'running' and was.lease_until <= moment)::integer,
    ended_by_function = true
  where id = ended_id
  returning * into ended;

  -- The queue is shorter by one.
  perform count_in_queue(
    account => coalesce(was.account_id, ''), waits => -(was.state = 'queued')::integer,
    runs => -(was.state = 'running')::integer, since => was.queued_at
  );
  perform add_to_queue_length(coalesce(was.account_id, ''), -1);

  -- The units are charged or returned in the period in which it was held.
  update hold set state = case when charged then 'charged' else 'refunded' end
  where transcription_id = ended_id and state = 'held'
  returning * into settled;
  if found then
    update allowance set held = held - settled.units, used = used + charged::integer * settled.units
    where account_id = settled.account_id and slot = settled.slot and period = settled.period;
  end if;

  -- What was recognized so far, and media that were sent, are needed no more.
  delete from interim_text where transcription_id = ended_id;
  if ended.owner is not null then
    delete from sent_media where transcription_id = ended_id;
    perform end_file(ended_id, reason is null, moment);
  end if;
  if ended.translates is not null then
    perform delete_file_bytes(f.id, moment) from file as f
    where f.translation_id = ended_id and f.kept_until is null and f.deleted_at is null;
    return next ended;
    return;
  end if;

  -- Endpoints of the account are notified, also disabled ones: their deliveries wait. The lock waits for an endpoint that is
  -- being deleted, and leaves it out.
  insert into webhook_delivery (id, webhook_id, event, transcription_id, reel_url, created_at, due_at)
  select 'msg_' || split_part(ended_id, '_', 2) || '_' || split_part(w.id, '_', 2), w.id, 'transcription.' || ended.state,
    ended_id, ended.url, moment, moment
  from webhook as w join account as a on a.id = w.account_id
  where w.account_id = ended.account_id and a.suspended_at is null
  order by w.number
  for key share of w
  on conflict (id) do nothing;

  return next ended;
end
$function$
;

CREATE OR REPLACE FUNCTION file_objects_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION follow_queue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Keeps queue_account and queue_length in step with transcription: starts, claims, releases and rows that go, also with their
-- account. What end_transcription ends, it counts itself. Rows are locked in the order
-- transcription, queue_account, queue_length, allowance, here and wherever more than one is.
declare
  was text;
  is_now text;
  same boolean;
begin
  if tg_op <> 'INSERT' and old.state in ('queued', 'running') then was := coalesce(old.account_id, ''); end if;
  if tg_op <> 'DELETE' and new.state in ('queued', 'running') then is_now := coalesce(new.account_id, ''); end if;
  same := was = is_now;
  if same then
    perform count_in_queue(was,
      (new.state = 'queued')::integer - (old.state = 'queued')::integer,
      (new.state = 'running')::integer - (old.state = 'running')::integer, new.queued_at);
    return new;
  end if;
  if was is not null then
    perform count_in_queue(was, -(old.state = 'queued')::integer, -(old.state = 'running')::integer, old.queued_at);
  end if;
  if is_now is not null then
    perform count_in_queue(is_now, (new.state = 'queued')::integer, (new.state = 'running')::integer, new.queued_at);
  end if;
  if was is not null then perform add_to_queue_length(was, -1); end if;
  if is_now is not null then perform add_to_queue_length(is_now, 1); end if;
  return case tg_op when 'DELETE' then old else new end;
end
$function$
;

CREATE OR REPLACE FUNCTION forget_interim_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- What an attempt recognized so far is gone when the attempt ends. end_transcription does it itself.
begin
  delete from interim_text where transcription_id = new.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION forget_owned_transcripts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- A transcript that nobody else has goes with its script.
begin
  delete from transcript where owner is not null and id in (select transcript_id from removed);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION forget_sent_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Media that were sent go with their transcription, also when its row goes. end_transcription does it itself.
begin
  delete from sent_media where transcription_id = old.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION index_scripts(numbers bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  perform index_scripts_2(numbers, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$function$
;

CREATE OR REPLACE FUNCTION index_scripts_2(numbers bigint[], brought tsvector)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- Brings what searches read of scripts into agreement with their transcripts and corrections, and counts the change.
-- brought: what finds their transcript, if the caller knows.
declare
  one record;
begin
  for one in
    select account_id, array_agg(number) as numbers from script where number = any(numbers)
    group by account_id order by account_id
  loop
    perform change_content(one.account_id, 0);
    with shared as materialized (
      select id, shared_tokens_2(id, brought) as tokens from transcript
      where id in (select transcript_id from script where number = any(one.numbers))
    )
    update searchable_script as f
    set views = s.views, engagement_rate = s.engagement_rate,
      tokens = indexed_tokens(shared.tokens, c.tokens, f.tokens)
    from script as s
      join shared on shared.id = s.transcript_id
      left join script_correction as c on c.script_number = s.number
    where s.number = any(one.numbers) and f.number = s.number;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION indexed_tokens(of_transcript tsvector, of_correction tsvector, before tsvector)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
-- What finds a script, which had the words of its caption before.
begin
  if of_transcript = ''::tsvector and (of_correction is null or before = ''::tsvector) then return ''; end if;
  return search_tokens(case when of_transcript = ''::tsvector then before else of_transcript end, of_correction);
end
$function$
;

CREATE OR REPLACE FUNCTION is_in_storage(transcribed text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
-- True if the media that were sent for a transcription are in an object storage: all their parts, or none.
begin
  return exists (
    select from sent_media as m join sent_media_part as p on p.media_id = m.id
    where m.transcription_id = transcribed and p.number = 0 and p.object is not null
  );
end
$function$
;

CREATE OR REPLACE FUNCTION note_unindexed_script()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into unindexed_script (number) values (new.number) on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION queue_translation(transcribed text, made bigint, new_id text, source_language text, is_translatable boolean, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
-- Queues the translation that a transcription which has just ended asked for. Nothing here may undo its end. The bytes of a file
-- stay for the translation, or go now.
declare
  was transcription;
  own_file file;
  is_queued boolean := false;
begin
  select * into was from transcription where id = transcribed;
  select * into own_file from file where transcription_id = transcribed;
  if coalesce(was.translate_to, own_file.translate_to) is null then return false; end if;
  if is_translatable and made is not null and was.account_id is not null
    and not exists (select from translation where transcript_id = made)
  then
    begin
      insert into transcription (
        id, account_id, platform, media_id, shortcode, url, language_hint, translate_to, translates, queued_at,
        request_id, request_span
      )
      values (
        new_id, was.account_id, was.platform, was.media_id, was.shortcode, was.url, source_language,
        coalesce(was.translate_to, own_file.translate_to), made, moment, was.request_id, was.request_span
      )
      on conflict (platform, media_id, owner) where state in ('queued', 'running') do nothing;
      is_queued := found;
    -- Taken down or suspended meanwhile.
    exception when sqlstate 'RS001' or sqlstate 'RS002' then is_queued := false;
    end;
  end if;
  if is_queued then
    update file set translation_id = new_id where id = own_file.id;
  elsif own_file.id is not null and own_file.kept_until is null then
    perform delete_file_bytes(own_file.id, moment);
  end if;
  return is_queued;
end
$function$
;

CREATE OR REPLACE FUNCTION refuse_transcription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Refuses reels that were taken down and suspended accounts: a caller may have asked before that and write after it. The
-- operator's decision locks the table, so each waits for the other.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    raise exception 'the reel was taken down' using errcode = 'RS001';
  end if;
  if exists (select from account where id = new.account_id and suspended_at is not null) then
    raise exception 'the account is suspended' using errcode = 'RS002';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION remove_deleted_scripts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Scripts that belong to no account go with the one that deleted them, before the transcripts that it sent.
begin
  delete from script where number in (select number from deleted_script where account_id = old.id);
  return old;
end
$function$
;

CREATE OR REPLACE FUNCTION replace_owned_transcripts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- For processes of the release before, which have the tokens in a setting of their transaction. Others have shared the
-- transcript by now.
begin
  perform share_transcript(new.platform, new.media_id, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION restore_requested_script()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- For processes of the release before: a reel that is transcribed again brings its deleted script back in place of a new one.
begin
  if exists (
    select from deleted_script where account_id = new.account_id and transcript_id = new.transcript_id
  ) then
    perform restore_scripts(new.account_id, array(
      select s.id from deleted_script as d join script as s on s.number = d.number
      where d.account_id = new.account_id and d.transcript_id = new.transcript_id
    ));
    if found then return null; end if;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION restore_scripts(of_account text, script_ids text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  return query select restore_scripts_2(of_account, script_ids, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$function$
;

CREATE OR REPLACE FUNCTION restore_scripts_2(of_account text, script_ids text[], brought tsvector)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
-- Puts deleted scripts back, and answers their ids. A reel that has a script again keeps that one. Transcripts come first, as
-- in a correction: whoever hears a reel again has its new words indexed.
-- brought: what finds their transcript, if the caller knows.
declare
  restored bigint[];
  ids text[];
  library_number bigint;
begin
  lock table script in row exclusive mode;
  perform from transcript where id = any(array(
    select d.transcript_id from deleted_script as d join script as s on s.number = d.number
    where d.account_id = of_account and s.id = any(script_ids)
  )) order by id for share;
  with back as (
    update script as s set account_id = of_account
    from deleted_script as d
    where d.account_id = of_account and s.number = d.number and s.account_id is null and s.id = any(script_ids)
      and not exists (
        select from script as other where other.account_id = of_account and other.transcript_id = d.transcript_id
      )
    returning s.number, s.id
  )
  select array_agg(back.number), array_agg(back.id) into restored, ids from back;
  if restored is null then return; end if;
  delete from deleted_script where number = any(restored);
  library_number := change_content(of_account, cardinality(restored));
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select s.number, library_number, s.added_at, s.views, s.engagement_rate, false,
    indexed_tokens(shared_tokens_2(s.transcript_id, brought), c.tokens, '')
  from script as s left join script_correction as c on c.script_number = s.number
  where s.number = any(restored);
  return query select unnest(ids);
end
$function$
;

CREATE OR REPLACE FUNCTION script_of(of_account text, of_transcript bigint)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
-- The account's script of a transcript, also when the statement that asks has just restored it.
begin
  return (select id from script where account_id = of_account and transcript_id = of_transcript);
end
$function$
;

CREATE OR REPLACE FUNCTION search_tokens(of_transcript tsvector, of_correction tsvector)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
-- What finds a script. The words of a correction take the place of those that were recognized: of the transcript stay the
-- words of its caption, which have the weight A, and the mark of its handle. Language and length are those of the copy.
declare
  marks text[];
begin
  if of_correction is null then return of_transcript; end if;
  select coalesce(array_agg(lexeme), '{}') into marks
  from unnest(of_transcript) where positions is null and lexeme like '@%';
  return ts_filter(of_transcript, '{a}') || of_correction || array_to_tsvector(marks);
exception when program_limit_exceeded then
  return of_correction || array_to_tsvector(marks);
end
$function$
;

CREATE OR REPLACE FUNCTION sent_media_objects_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION share_transcript(of_platform text, of_media_id text, brought tsvector)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
-- As soon as everybody has a reel, those who sent it have what everybody has. Their scripts keep their ids, deleted ones too.
-- brought: what finds everybody's transcript, if the caller knows.
declare
  everybodys record;
  owned record;
  kept bigint;
begin
  select * into everybodys from transcript
  where platform = of_platform and media_id = of_media_id and owner is null;
  if not found then
    return;
  end if;
  for owned in
    select * from transcript
    where platform = of_platform and media_id = of_media_id and owner is not null
    order by owner
  loop
    if exists (select from script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where account_id = owned.owner and transcript_id = everybodys.id;
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id = owned.owner and transcript_id = owned.id
      returning number into kept;
      perform index_scripts_2(array[kept], brought);
    end if;
    if exists (select from deleted_script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where number in (
        select number from deleted_script where account_id = owned.owner and transcript_id = everybodys.id
      );
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id is null and transcript_id = owned.id;
      update deleted_script set transcript_id = everybodys.id
      where account_id = owned.owner and transcript_id = owned.id;
    end if;
    delete from transcript where id = owned.id;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION shared_tokens(of_transcript bigint)
 RETURNS tsvector
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  return shared_tokens_2(of_transcript, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$function$
;

CREATE OR REPLACE FUNCTION shared_tokens_2(of_transcript bigint, brought tsvector)
 RETURNS tsvector
 LANGUAGE plpgsql
AS $function$
-- What finds a transcript: its own, or what the caller brings along that changes it, or what another library has.
-- Empty when none of them is there.
declare
  found_tokens tsvector;
begin
  select tokens into found_tokens from transcript where id = of_transcript;
  if found_tokens <> ''::tsvector then return found_tokens; end if;
  if brought <> ''::tsvector then return brought; end if;
  select f.tokens into found_tokens
  from script as s join searchable_script as f on f.number = s.number
  where s.transcript_id = of_transcript and f.tokens <> ''::tsvector
    and not exists (select from script_correction as c where c.script_number = s.number)
  limit 1;
  return coalesce(found_tokens, '');
end
$function$
;

CREATE OR REPLACE FUNCTION skip_taken_down()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Keeps nothing of a reel that was taken down.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    return null;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION start_transcription(new_id text, asker text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text, most_open integer, most_waiting integer, moment timestamp with time zone, asker_slot smallint DEFAULT NULL::smallint, asker_period text DEFAULT NULL::text, most_units integer DEFAULT NULL::integer, refusal_model text DEFAULT NULL::text, sent text DEFAULT NULL::text, replaced_transcript bigint DEFAULT NULL::bigint, OUT answer text, OUT transcription_id text, OUT refused json, OUT units_used integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
-- Processes of the release before call it, with the request in settings of their transaction.
begin
  select started.answer, started.transcription_id, started.refused, started.units_used
  into answer, transcription_id, refused, units_used
  from start_transcription_2(
    new_id, asker, reel_platform, reel_media_id, reel_shortcode, reel_url, hint, most_open, most_waiting, moment, asker_slot,
    asker_period, most_units, refusal_model, sent, replaced_transcript,
    nullif(current_setting('reelscript.request_id', true), ''), nullif(current_setting('reelscript.request_span', true), '')
  ) as started;
end
$function$
;

CREATE OR REPLACE FUNCTION start_transcription_2(new_id text, asker text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text, most_open integer, most_waiting integer, moment timestamp with time zone, asker_slot smallint DEFAULT NULL::smallint, asker_period text DEFAULT NULL::text, most_units integer DEFAULT NULL::integer, refusal_model text DEFAULT NULL::text, sent text DEFAULT NULL::text, replaced_transcript bigint DEFAULT NULL::bigint, asking_request text DEFAULT NULL::text, asking_span text DEFAULT NULL::text, OUT answer text, OUT transcription_id text, OUT refused json, OUT units_used integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
-- The one door into the queue: starts the one transcription of a reel and holds a unit, or says why not, in this order:
-- takenDown, cached, inProgress, limitReached, refused, accountQueueFull, queueFull. One call, so that a caller who
-- freezes holds no lock. Only starts of the same account wait for one another, and those of the same reel.
declare
  reel_owner text := case when sent is not null then asker end;
  -- A file holds as many units as it may use, as far as they are left.
  units smallint := coalesce((select f.units from file as f where f.id = sent and f.account_id = asker), 1);
  units_held integer;
  asker_waiting integer;
  asker_open integer;
  -- fileLimits.inQueue of the contract.
  most_files constant integer := 4;
begin
  if exists (select from takedown where platform = reel_platform and media_id = reel_media_id) then
    answer := 'takenDown';
    return;
  end if;
  -- Whoever deletes the account takes this lock alone.
  perform pg_advisory_xact_lock_shared(7365002, hashtext(asker));
  if replaced_transcript is null and exists (
    select from transcript
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
  ) then
    answer := 'cached';
    return;
  end if;
  select case when account_id = asker then id end into transcription_id
  from transcription
  where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
    and state in ('queued', 'running');
  if found then
    answer := 'inProgress';
    return;
  end if;
  if replaced_transcript is null then
    select used, held into units_used, units_held
    from allowance where account_id = asker and slot = asker_slot and period = asker_period;
    if coalesce(units_used + units_held, 0) >= most_units then
      answer := 'limitReached';
      return;
    end if;
    units := least(units, most_units - coalesce(units_used + units_held, 0));
    select failure into refused
    from refusal
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
      and model = refusal_model and until > moment;
    if found then
      answer := 'refused';
      return;
    end if;
  end if;

  insert into transcription (
    id, account_id, platform, media_id, owner, shortcode, url, language_hint, retranscribes, queued_at,
    request_id, request_span
  )
  values (
    new_id, asker, reel_platform, reel_media_id, reel_owner, reel_shortcode, reel_url, hint, replaced_transcript, moment,
    asking_request, asking_span
  )
  on conflict (platform, media_id, owner) where state in ('queued', 'running') do nothing;
  if not found then
    select case when account_id = asker then id end into transcription_id
    from transcription
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
      and state in ('queued', 'running');
    answer := 'inProgress';
    return;
  end if;
  -- The account's row of the queue is ours now: what is looked at from here on still holds at the end.
  select waiting, waiting + running into asker_waiting, asker_open from queue_account where account_id = asker;
  if replaced_transcript is null and exists (
    select from transcript
    where platform = reel_platform and media_id = reel_media_id and owner is not distinct from reel_owner
  ) then
    answer := 'cached';
  elsif asker_waiting > most_waiting then
    answer := 'accountQueueFull';
  -- An account's many files leave room for its reels.
  elsif exists (select from file as f where f.id = sent and f.account_id = asker) and (
    select count(*) from file as f
    where f.account_id = asker and f.deleted_at is null and f.ended_at is null and f.transcription_id is not null
  ) >= most_files then
    answer := 'accountQueueFull';
  -- A full queue is full for those who are in it; others still get in, until it is twice as long.
  elsif (select sum(open) from queue_length) > (most_open::bigint * (case when asker_open = 1 then 2 else 1 end)) then
    answer := 'queueFull';
  elsif replaced_transcript is not null then
    answer := 'started';
  else
    insert into allowance as a (account_id, slot, period, held) values (asker, asker_slot, asker_period, units)
    on conflict (account_id, slot, period) do update set held = a.held + excluded.held
      where a.used + a.held + excluded.held <= most_units
    returning used into units_used;
    if found then
      insert into hold (transcription_id, account_id, slot, period, units, held_at)
      values (new_id, asker, asker_slot, asker_period, units, moment);
      answer := 'started';
    else
      answer := 'limitReached';
    end if;
  end if;
  if answer <> 'started' then
    delete from transcription where id = new_id;
    return;
  end if;
  transcription_id := new_id;
  if sent is not null then
    update sent_media as m set transcription_id = new_id, expires_at = null
    where m.id = sent and m.account_id = asker and m.transcription_id is null;
    if not found then
      update file as f set transcription_id = new_id
      where f.id = sent and f.account_id = asker and f.transcription_id is null and f.ended_at is null;
      if not found then
        raise exception 'the sent media are gone' using errcode = 'RS003';
      end if;
    end if;
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION take_call(caller text, asked integer[], limits integer[], moment timestamp with time zone, counting boolean)
 RETURNS TABLE(taken boolean, remaining integer[], reset_seconds double precision[])
 LANGUAGE plpgsql
AS $function$
-- Counts one call against every asked bucket (1 to 4) or against none; unless counting, it only looks.
-- Calls are kept one by one while the lowest limit is at most 1000; above it they share 30-second marks, rounded up, so
-- that a row stays small and no hour holds too many.
-- remaining and reset_seconds follow the order of asked; reset_seconds is the time until one more call is free.
declare
  ats timestamptz[];
  masks integer[];
  counts integer[];
  sums integer[];
  expired integer := 0;
  size integer;
  place integer;
  mask integer := 0;
  surplus integer;
  lowest integer;
  mark timestamptz := moment;
  resets double precision[] := '{}';
  rests integer[] := '{}';
begin
  if counting then
    loop
      select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
      from rate_limit as r where r.subject = caller for update;
      exit when found;
      insert into rate_limit (subject) values (caller) on conflict (subject) do nothing;
    end loop;
  else
    select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
    from rate_limit as r where r.subject = caller;
    if not found then
      ats := '{}'; masks := '{}'; counts := '{}'; sums := '{0,0,0,0}';
    end if;
  end if;

  size := cardinality(ats);
  while expired < size and ats[expired + 1] <= moment - interval '1 hour' loop
    expired := expired + 1;
    for bucket in 1 .. 4 loop
      if masks[expired] & (1 << (bucket - 1)) <> 0 then
        sums[bucket] := sums[bucket] - counts[expired];
      end if;
    end loop;
  end loop;
  if expired > 0 then
    ats := ats[expired + 1 :];
    masks := masks[expired + 1 :];
    counts := counts[expired + 1 :];
    size := size - expired;
  end if;

  taken := counting;
  for i in 1 .. cardinality(asked) loop
    taken := taken and sums[asked[i]] < limits[i];
    mask := mask | (1 << (asked[i] - 1));
    lowest := least(lowest, limits[i]);
  end loop;

  if taken then
    if lowest > 1000 then
      mark := to_timestamp(ceil(extract(epoch from moment) / 30) * 30);
    end if;
    if size > 0 and ats[size] > mark then
      mark := ats[size];
    end if;
    place := size;
    while place > 0 and ats[place] = mark and masks[place] <> mask loop
      place := place - 1;
    end loop;
    if place > 0 and ats[place] = mark then
      counts[place] := counts[place] + 1;
    else
      ats := ats || mark;
      masks := masks || mask;
      counts := counts || 1;
      size := size + 1;
    end if;
    for i in 1 .. cardinality(asked) loop
      sums[asked[i]] := sums[asked[i]] + 1;
    end loop;
    update rate_limit set at = ats, buckets = masks, calls = counts, used = sums where subject = caller;
  end if;

  for i in 1 .. cardinality(asked) loop
    rests := rests || greatest(limits[i] - sums[asked[i]], 0);
    if sums[asked[i]] = 0 then
      resets := resets || 0::double precision;
    else
      -- Normally the oldest call; a later one when the limit was lowered since.
      surplus := greatest(sums[asked[i]] - limits[i], 0);
      place := 0;
      loop
        place := place + 1;
        if masks[place] & (1 << (asked[i] - 1)) <> 0 then
          surplus := surplus - counts[place];
        end if;
        exit when surplus < 0 or place = size;
      end loop;
      resets := resets || (extract(epoch from ats[place] - moment) + 3600)::double precision;
    end if;
  end loop;
  remaining := rests;
  reset_seconds := resets;
  return next;
end
$function$
;

CREATE OR REPLACE FUNCTION thumbnail_object_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Whoever deletes a thumbnail leaves its object to be removed.
begin
  insert into removed_object (name) values (old.object) on conflict (name) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION uncompress_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- Values stay compressed when they are copied from a column that compresses them.
begin
  new.tokens := new.tokens || ''::tsvector;
  return new;
end
$function$
;
