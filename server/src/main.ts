import { stderr, stdout } from "node:process";
import { pino } from "pino";
import { createAdminister } from "./admin/admin-commands.ts";
import { adminSocketPath } from "./admin/admin-socket-path.ts";
import { startAdminSocket } from "./admin/admin-socket.ts";
import { banner } from "./banner.ts";
import { systemClock } from "./clock.ts";
import { readConfig, type Config } from "./config.ts";
import { createDownloadDisplay } from "./download-display.ts";
import { modelOf, openPorts, type OpenedPorts } from "./open-ports.ts";
import { startService } from "./service.ts";

const started = performance.now();
const stopMilliseconds = 4_500;

try {
  // oxlint-disable-next-line node/no-process-env -- the one place where the environment enters
  await run(readConfig(process.env, process.env.INIT_CWD ?? process.cwd()));
} catch (error) {
  stderr.write(`\nReelscript could not start.\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const onFault = (error: unknown, where: string): void => log.error({ err: error, where }, "fault");
  const closers: (() => Promise<void>)[] = [];
  const stop = stopOnce(closers);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);

  const ports = await openPorts(config, systemClock, { onFault, onDownload: createDownloadDisplay(stderr) });
  closers.push(() => ports.close());
  if (config.databaseUrl === undefined) {
    const path = adminSocketPath(config.dataDirectory);
    const socket = await startAdminSocket({
      path,
      store: ports.store,
      clock: systemClock,
      onError: (error) => onFault(error, "admin"),
    });
    closers.push(() => socket.close());
  }
  const developmentKey = config.production || config.role === "worker" ? undefined : await firstKey(ports);
  const service = await startService({ ...config, model: modelOf(config) }, ports, onFault);
  closers.push(() => service.stop());
  const seconds = (performance.now() - started) / 1_000;
  stdout.write(
    `${banner({ config, url: service.url, parts: ports.parts, developmentKey, seconds, colours: stdout.isTTY === true && stdout.hasColors() })}\n`,
  );
}

/** A fresh database gets an account and a key, so that the first call needs no preparation. */
async function firstKey({ store }: OpenedPorts): Promise<string | undefined> {
  const administer = createAdminister({ store, clock: systemClock });
  const { accounts } = await administer("accountList", {});
  if (accounts.length > 0) return undefined;
  const account = await administer("accountCreate", { email: "developer@example.com", plan: "free" });
  const { key } = await administer("keyCreate", { account: account.id, name: "First key" });
  return key;
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
