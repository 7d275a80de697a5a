import type {
  Clock,
  OperatorFigures,
  OperatorQueue,
  ServicePart,
  StoredOutage,
  StoredTables,
  StoredTask,
  StoredWork,
} from "../../ports.ts";

export interface StatusNeeds {
  readonly operatorFigures: OperatorFigures;
  readonly operatorQueue: Pick<OperatorQueue, "drainedSince">;
  readonly clock: Clock;
  readonly recognizer: { readonly model: string; readonly revision: number };
  /** True if this process transcribes; with an embedded database no other does. */
  readonly worksHere: boolean;
  /** The names of the service's periodic tasks, if they are known here. */
  readonly taskNames?: (() => readonly string[]) | undefined;
  /** Tests what the settings name. */
  readonly checkParts?: (() => Promise<readonly ServicePart[]>) | undefined;
}

interface ServiceStatus {
  readonly parts: readonly ServicePart[];
  readonly tables: StoredTables;
  readonly lastBackupAt: Date | null;
}

const minute = 60_000;
/** A worker reports every two seconds; its clock may be off a little. */
const silentWorker = minute;
/** A process looks each second whether a task is due. */
const overdueTask = 10 * minute;
const longWait = 10 * minute;
const oldBackup = 2 * 24 * 60 * minute;

/** The state of each part of the whole service, in words. */
export async function serviceStatus(needs: StatusNeeds): Promise<ServiceStatus> {
  const { operatorFigures: figures, operatorQueue, clock, checkParts } = needs;
  const now = clock.now();
  const checking = checkParts?.() ?? Promise.resolve([]);
  // One after another, so that the page takes only one database connection from callers.
  const database = await figures.database();
  const tables = await figures.tables();
  const work = await figures.work();
  const drainedSince = await operatorQueue.drainedSince();
  const workers = await figures.workers(now);
  const tasks = await figures.tasks();
  const outages = await figures.outages();
  const backup = await figures.lastBackupAt();
  const checked = await checking;
  const engine = database.kind === "embedded" ? "the embedded database" : `PostgreSQL ${database.version}`;
  const parts = [
    part("stored data", "ok", `${bytesInWords(database.bytes)} in ${engine}.`),
    queuePart(work, drainedSince, now),
    workersPart(workers, needs.worksHere && database.kind === "embedded", now),
    tasksPart(tasks, needs.taskNames?.(), now),
    ...awayParts(outages, needs.recognizer, now),
    backupPart(backup, now),
  ];
  const subjects = new Set(parts.map(({ subject }) => subject));
  // Waiting reels say more about a part than a test does.
  const others = checked.filter(({ subject, state }) => state !== "ok" || !subjects.has(subject));
  return { parts: [...parts, ...others], tables, lastBackupAt: backup ?? null };
}

const part = (subject: string, state: ServicePart["state"], text: string): ServicePart => ({ subject, state, text });

function queuePart({ queued, running, oldestQueuedAt }: StoredWork, drainedSince: Date | undefined, now: Date) {
  const waited = oldestQueuedAt === null ? 0 : Math.max(0, now.getTime() - oldestQueuedAt.getTime());
  const oldest = oldestQueuedAt === null ? "" : ` The oldest has waited for ${timeInWords(waited)}.`;
  const counts = `${countInWords(queued, "reel waits", "reels wait")}, ${countInWords(running, "is", "are")} being transcribed.${oldest}`;
  if (drainedSince !== undefined)
    return part("queue", "note", `Workers claim nothing since ${momentInWords(drainedSince)}. ${counts}`);
  return part("queue", waited > longWait ? "note" : "ok", counts);
}

function workersPart(workers: Awaited<ReturnType<OperatorFigures["workers"]>>, worksAlone: boolean, now: Date) {
  if (worksAlone) return part("workers", "ok", "This process transcribes, and there is no other.");
  const alive = workers.filter(({ seenAt }) => Math.abs(now.getTime() - seenAt.getTime()) < silentWorker);
  if (alive.length === 0) {
    const [last] = workers;
    const since = last === undefined ? "" : ` The last one was seen at ${momentInWords(last.seenAt)}.`;
    return part("workers", "wrong", `No worker reports, so that nothing is transcribed.${since} Start one.`);
  }
  const well = alive.filter(({ isWell }) => isWell).length;
  const count = countInWords(alive.length, "worker reports", "workers report");
  if (well === alive.length) return part("workers", "ok", `${count}, and all claim reels.`);
  return part(
    "workers",
    well === 0 ? "away" : "note",
    `${count}, and ${well === 0 ? "none claims" : `only ${well} of them ${well === 1 ? "claims" : "claim"}`} reels. Their logs say why.`,
  );
}

function tasksPart(stored: readonly StoredTask[], names: readonly string[] | undefined, now: Date) {
  // A release may have left a task that this one doesn't have.
  const tasks = stored.filter(({ name }) => names?.includes(name) ?? true);
  const overdue = tasks.filter(({ until }) => now.getTime() - until.getTime() > overdueTask);
  if (overdue.length === 0)
    return part("periodic tasks", "ok", `${countInWords(tasks.length, "task is", "tasks are")} done when due.`);
  const late = overdue.map(({ name, until }) => `${name} (${timeInWords(now.getTime() - until.getTime())})`);
  return part("periodic tasks", "away", `Overdue: ${late.join(", ")}. The log says why.`);
}

/** Says which parts reels wait for, and that the others are well. */
function awayParts(outages: readonly StoredOutage[], recognizer: StatusNeeds["recognizer"], now: Date) {
  const waiting = (kind: StoredOutage["waitingFor"]): string | undefined => {
    const those = outages.filter(({ waitingFor }) => waitingFor === kind);
    if (those.length === 0) return undefined;
    const lines = those.map(
      ({ platform, reels, since }) =>
        `${countInWords(reels, "reel", "reels")} of ${platform} for ${timeInWords(now.getTime() - since.getTime())}`,
    );
    return `Reels wait for it: ${lines.join(", ")}. They continue when it is back.`;
  };
  const described = (subject: string, kind: StoredOutage["waitingFor"], ok: string): ServicePart => {
    const text = waiting(kind);
    return part(subject, text === undefined ? "ok" : "away", text ?? ok);
  };
  return [
    described("platforms", "platform", "No reel waits for a platform that is away."),
    described("recognizer", "recognizer", `${recognizer.model}, revision ${recognizer.revision}.`),
    described("storage", "storage", "No reel waits for its media."),
  ];
}

function backupPart(backup: Date | undefined, now: Date) {
  if (backup === undefined)
    return part("backup", "note", "No backup is known. docs/operations.md says how a backup reports itself here.");
  const age = now.getTime() - backup.getTime();
  const text = `The last one was written at ${momentInWords(backup)}.`;
  return age > oldBackup
    ? part("backup", "note", `${text} That is ${timeInWords(age)} ago.`)
    : part("backup", "ok", text);
}

const countInWords = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** 2026-11-29 03:00 UTC */
const momentInWords = (moment: Date): string => `${moment.toISOString().replace("T", " ").slice(0, 16)} UTC`;

const units = [
  [24 * 60 * minute, "day", "days"],
  [60 * minute, "hour", "hours"],
  [minute, "minute", "minutes"],
  [1_000, "second", "seconds"],
] as const;

/** The largest whole unit: "2 hours". */
function timeInWords(milliseconds: number): string {
  const [length, one, many] = units.find(([unit]) => milliseconds >= unit) ?? units.at(-1)!; // safe: the list has some
  return countInWords(Math.max(0, Math.floor(milliseconds / length)), one, many);
}

function bytesInWords(bytes: number): string {
  const gigabyte = 1_000_000_000;
  if (bytes >= gigabyte) return `${(bytes / gigabyte).toFixed(1)} GB`;
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
