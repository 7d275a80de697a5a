import { stderr, stdout } from "node:process";
import { adminSocketPath } from "./admin/admin-socket-path.ts";
import { startAdminSocket } from "./admin/admin-socket.ts";
import { createCheckParts } from "./admin/checks/check-parts.ts";
import type { OpenedStore } from "./adapters/database/open-store.ts";
import { banner } from "./start/banner.ts";
import { withChosenModels, recognizerOf } from "./recognition/recognizer-of.ts";
import { systemClock, createSharedClock, type SharedClock } from "./start/shared-clock.ts";
import { readConfig, type Config } from "./settings/config.ts";
import { firstKey } from "./start/first-key.ts";
import { invitationSite, inviteOperator, mailerOf } from "./start/invite.ts";
import { holdPort } from "./start/hold-port.ts";
import { createDownloadDisplay } from "./start/download-display.ts";
import { version } from "./mcp/build-server.ts";
import { openOwnStore, openPorts, openStandin, awaitAll, type OpenedPorts } from "./start/open-ports.ts";
import { portsOf, serviceSettingsOf } from "./start/service-parts.ts";
import { withSecretFiles } from "./start/secret-files.ts";
import { takeEnvironment } from "./start/take-environment.ts";
import { openWorkDirectory, type WorkDirectory } from "./start/work-directory.ts";
import { startService, type Service } from "./service.ts";
import type { FaultListener } from "./settings/service-settings.ts";
import { shutdownOnSignals } from "./start/shutdown.ts";
import { createLog } from "./telemetry/create-log.ts";
import { metricSources } from "./telemetry/metric-sources.ts";
import type { Build, Metrics, MetricSources } from "./telemetry/metrics.ts";
import { startMetricsServer } from "./telemetry/start-metrics-server.ts";
import type { Decodings, Telemetry, Traces } from "./telemetry/telemetry.ts";

const started = performance.now();
/** A start that fails would leave it behind. */
let work: WorkDirectory | undefined;

/** The service takes none, so that a mistaken one starts nothing. */
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const isQuestion = ["--help", "-h", "help"].includes(argument);
  (isQuestion ? stdout : stderr).write(
    `${isQuestion ? "" : `${argument} isn't understood. `}This starts the service and takes no arguments. Its settings are environment variables: docs/settings.md and .env.example list them. What an operator does is in reelscript-admin.js.\n`,
  );
  process.exit(isQuestion ? 0 : 1);
}

try {
  // oxlint-disable-next-line node/no-process-env -- the one place where the environment enters
  const { environment, isReadable } = takeEnvironment(process.env);
  const directory = environment.INIT_CWD ?? process.cwd();
  const config = await withChosenModels(readConfig(withSecretFiles(environment, directory), directory));
  await run(config, isReadable);
} catch (error) {
  stderr.write(`\nReelscript could not start: ${explain(error)}\n`);
  await work?.close().catch(() => undefined);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE" && port !== undefined)
    return `Another program uses port ${port}; stop it, or choose other ports with PORT, STANDIN_PORT and METRICS_PORT.`;
  return error.message;
}

async function run(config: Config, isEnvironmentReadable: boolean): Promise<void> {
  const log = createLog(config.logLevel);
  if (isEnvironmentReadable && config.production)
    log.warn("Programs of the same user can read the secrets in this process's environment");
  for (const name of config.unknownSettings) log.warn({ name }, "This looks like a setting and is none");
  const listener: FaultListener = {
    onFault: (error, where) => log.error({ err: error, where }, "fault"),
    onNotice: (error, where) => log.info({ err: error, where }, "notice"),
    onOutage: (needed, { isAway, error }) =>
      log.warn({ needed, ...(error !== undefined && { err: error }) }, isAway ? "Reels wait for it" : "It is back"),
  };
  const shutdown = shutdownOnSignals(config.drainSeconds, {
    exit: (code) => process.exit(code),
    complain: (error) => stderr.write(`Stopping did not go cleanly: ${String(error)}\n`),
  });
  const { closers } = shutdown;
  const decodings: Decodings = new Map();

  const ownWork = await openWorkDirectory(config.dataDirectory, {
    onFault: (error) => listener.onFault(error, "work directory"),
  });
  work = ownWork;
  closers.push(() => ownWork.close());
  const clock = createSharedClock({
    clock: systemClock,
    onCorrection: (seconds) => log.warn({ seconds }, "This machine's clock is wrong; the database's is used"),
    onServerWrong: (seconds) =>
      log.warn({ seconds }, "The database's clock is off by more than an hour; this machine's is used. Set it right"),
  });
  closers.push(async () => clock.close());
  // A start that fails for want of a port must not leave tables that are newer than the processes which run.
  const doorPort = await holdPort(config.host, config.role === "worker" ? 0 : config.port);
  const metricsPort = await holdPort(config.host, config.metricsPort ?? 0);
  const standin = await openStandin(config, closers);
  let telemetry: Telemetry | undefined;
  const opening = openOwnStore(config, clock, log, (action) => telemetry?.metrics?.storageFailed(action));
  const [store, ports] = await awaitAll([
    opening.then(async (opened) => {
      closers.push(() => opened.close());
      if (config.databaseUrl === undefined) await openAdminSocket(config, opened, closers, listener);
      else await clock.follow({ moment: () => opened.moment(), compare: (ahead) => opened.compareClocks(ahead) });
      return opened;
    }),
    openPorts(config, clock, ownWork.path, {
      ...listener,
      standin,
      decodings,
      onDownload: createDownloadDisplay(stderr),
      onHint: (hint) => log.warn(hint),
      turns: { take: async (wish) => (await opening).platformPace.take(wish) },
    }),
  ]);
  closers.push(() => ports.close());
  telemetry = await openTelemetry(config, { store, ports, log, decodings, clock }, closers);
  const developmentKey =
    config.production || config.role === "worker" || config.signIn.kind === "password"
      ? undefined
      : await firstKey({ store, clock }, config.signIn.kind);
  const service = await startService(
    serviceSettingsOf(config, ownWork.path, ports.parts),
    portsOf(ports, store, { heldPort: doorPort, checkParts: createCheckParts({ config, clock }) }),
    listener,
    telemetry,
  );
  closers.push(() => service.stop());
  shutdown.onDrain = () => service.drain();
  await metricsPort.release();
  const metricsUrl = telemetry.metrics && (await openMetrics(config, telemetry.metrics, { service, clock }, closers));
  const site = service.url === undefined || config.signIn.kind !== "password" ? undefined : service.url;
  const invitation =
    site === undefined
      ? undefined
      : await inviteOperator({ passwords: store.passwords, clock, site }, config.operatorEmail);
  const isUnused = site !== undefined && !(await store.passwords.exist());
  const seconds = (performance.now() - started) / 1_000;
  stdout.write(
    `${banner({ config, url: service.url, metricsUrl, parts: ports.parts, developmentKey, invitation, isUnused, seconds, colors: stdout.isTTY === true && stdout.hasColors() })}\n`,
  );
}

async function openTelemetry(
  { metricsPort, traceEndpoint, traceAttributes, databaseUrl, role }: Config,
  {
    store,
    ports,
    clock,
    ...rest
  }: Pick<Telemetry, "log" | "decodings"> & {
    readonly store: OpenedStore;
    readonly ports: OpenedPorts;
    readonly clock: SharedClock;
  },
  closers: (() => Promise<void>)[],
): Promise<Telemetry> {
  const sources = metricSources({
    store,
    recognizer: ports.recognizerProcesses,
    clock,
    // The embedded database's clock is this machine's.
    clockDifference: databaseUrl === undefined ? undefined : () => clock.ahead(),
  });
  const build = { version, role };
  const metrics = metricsPort === undefined ? undefined : await loadMetrics(sources, build);
  const traces =
    traceEndpoint === undefined
      ? undefined
      : await loadTraces(traceEndpoint, { version, role, attributes: traceAttributes });
  if (traces) closers.push(() => traces.close());
  return { ...rest, metrics, traces };
}

// The libraries of metrics and traces are large, and most processes need neither.

async function loadMetrics(sources: MetricSources, build: Build): Promise<Metrics> {
  const { createMetrics } = await import("./telemetry/metrics.ts");
  return createMetrics(sources, build);
}

async function loadTraces(
  endpoint: string,
  program: Build & { readonly attributes: Readonly<Record<string, string>> },
): Promise<Traces> {
  const { openTraces } = await import("./telemetry/open-traces.ts");
  return openTraces(endpoint, program);
}

/** Stays until the service has ended, so that the end can be seen. */
async function openMetrics(
  { host, metricsPort: port = 0 }: Config,
  metrics: Metrics,
  { service, clock }: { readonly service: Service; readonly clock: SharedClock },
  closers: (() => Promise<void>)[],
): Promise<string> {
  const notes = (): string[] => [
    ...service.away().map((needed) => `Reels wait for the ${needed}.`),
    ...(clock.isServerWrong() ? [`The database's clock is ${Math.round(clock.ahead())} s ahead and isn't used.`] : []),
  ];
  const server = await startMetricsServer({
    host,
    port,
    metrics,
    ready: () => service.checkReady(),
    notes,
  });
  closers.unshift(() => server.close());
  return `http://${host.includes(":") ? `[${host}]` : host}:${server.port}/metrics`;
}

/** The service works without the socket; only the operator's program then has to wait until it is stopped. */
async function openAdminSocket(
  config: Config,
  store: OpenedStore,
  closers: (() => Promise<void>)[],
  { onFault }: FaultListener,
): Promise<void> {
  const path = adminSocketPath(config.dataDirectory);
  try {
    const socket = await startAdminSocket({
      path,
      store,
      clock: systemClock,
      recognizer: recognizerOf(config),
      invitationSite: invitationSite(config),
      worksHere: config.role !== "api",
      mailer: mailerOf(config),
      onError: (error) => onFault(error, "admin"),
    });
    closers.push(() => socket.close());
  } catch (error) {
    stderr.write(`The operator's commands cannot reach this service: ${String(error)}\n`);
  }
}
