import { stderr, stdout } from "node:process";
import { pino } from "pino";
import { adminSocketPath } from "./admin/admin-socket-path.ts";
import { startAdminSocket } from "./admin/admin-socket.ts";
import type { OpenedStore } from "./adapters/database/open-store.ts";
import { banner } from "./banner.ts";
import { systemClock } from "./clock.ts";
import { readConfig, type Config } from "./config.ts";
import { firstKey } from "./first-key.ts";
import { createDownloadDisplay } from "./download-display.ts";
import { languageQualityOf } from "./language-quality.ts";
import { modelOf, openOwnStore, openPorts, settled } from "./open-ports.ts";
import { openWorkDirectory } from "./work-directory.ts";
import { startService } from "./service.ts";
import type { Report } from "./service-settings.ts";

const started = performance.now();
const stopMilliseconds = 4_500;

try {
  // oxlint-disable-next-line node/no-process-env -- the one place where the environment enters
  await run(readConfig(process.env, process.env.INIT_CWD ?? process.cwd()));
} catch (error) {
  stderr.write(`\nReelscript could not start.\n${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE" && port !== undefined)
    return `Another program uses port ${port}. Stop it, or choose other ports with PORT and STANDIN_PORT.`;
  return error.message;
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const report: Report = {
    onFault: (error, where) => log.error({ err: error, where }, "fault"),
    onNotice: (error, where) => log.info({ err: error, where }, "notice"),
  };
  const closers: (() => Promise<void>)[] = [];
  const stop = stopOnce(closers);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);

  const [store, ports] = await settled([
    openOwnStore(config, systemClock, log).then(async (opened) => {
      closers.push(() => opened.close());
      if (config.databaseUrl === undefined) await openAdminSocket(config, opened, closers, report);
      return opened;
    }),
    openPorts(config, systemClock, {
      ...report,
      onDownload: createDownloadDisplay(stderr),
    }),
  ]);
  closers.push(() => ports.close());
  const work = await openWorkDirectory(config.dataDirectory);
  closers.push(() => work.close());
  const developmentKey =
    config.production || config.role === "worker" ? undefined : await firstKey(store, systemClock, config.signIn.kind);
  const service = await startService(
    {
      ...config,
      model: modelOf(config),
      languageQuality: languageQualityOf(config),
      workDirectory: work.path,
    },
    { ...ports, store },
    report,
  );
  closers.push(() => service.stop());
  const seconds = (performance.now() - started) / 1_000;
  stdout.write(
    `${banner({ config, url: service.url, parts: ports.parts, developmentKey, seconds, colours: stdout.isTTY === true && stdout.hasColors() })}\n`,
  );
}

/** Without it the service does all its work; only the operator's program has to wait until it is stopped. */
async function openAdminSocket(
  config: Config,
  store: OpenedStore,
  closers: (() => Promise<void>)[],
  { onFault }: Report,
): Promise<void> {
  const path = adminSocketPath(config.dataDirectory);
  try {
    const socket = await startAdminSocket({
      path,
      store,
      clock: systemClock,
      onError: (error) => onFault(error, "admin"),
    });
    closers.push(() => socket.close());
  } catch (error) {
    stderr.write(`The operator's commands cannot reach this service: ${String(error)}\n`);
  }
}

function stopOnce(closers: (() => Promise<void>)[]): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), stopMilliseconds).unref();
    void (async () => {
      for (const close of closers.splice(0).toReversed()) await close();
      process.exit(0);
    })().catch((error: unknown) => {
      stderr.write(`Stopping did not go cleanly: ${String(error)}\n`);
      process.exit(1);
    });
  };
}
