const completion = "adapters/database/transcriptions/complete-transcription.js";

/**
 * Parts of the service, broken on purpose: in `file` of what is built for it, `from` becomes `to`. One of `rounds` has to notice
 * what is wrong then.
 */
export const mutants = [
  {
    name: "release of a hold",
    file: completion,
    from: "held = held - 1,",
    to: "held = held - case when settled.state = 'charged' then 1 else 0 end,",
    rounds: ["platform lies 1"],
  },
  {
    name: "fence of an attempt",
    file: completion,
    from: "where id = :id and attempt = :attempt and state = 'running'",
    to: "where id = :id and :attempt::integer > 0 and state = 'running'",
    rounds: ["lease lost before completing"],
  },
  {
    name: "charge",
    file: completion,
    from: "used = used + case when settled.state = 'charged' then 1 else 0 end",
    to: "used = used",
    rounds: ["caption of one long word"],
  },
  {
    name: "renewal of a lease",
    file: "adapters/database/transcriptions/transcriptions.js",
    from: "set lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds)",
    to: "set lease_until = case when :now::timestamptz + make_interval(secs => :leaseSeconds) is not null then lease_until end",
    rounds: ["lease kept for long work"],
  },
  {
    name: "sweep of files",
    file: "start/work-directory.js",
    from: "(await isDead(folder, now))",
    to: "false",
    rounds: ["kill worker fetching"],
  },
];
