import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import { createDoors, type DoorParts } from "./create-doors.ts";
import { askCanary, checkBioLinks, foldBioEvents, reapTranscriptions } from "./periodic/tasks.ts";
import { deliverWebhooks } from "./periodic/deliver-webhooks.ts";
import { startPeriodicWork } from "./periodic/periodic-work.ts";
import type { Claim, PeriodicTask } from "./ports.ts";
import type { FaultListener, Ports, ServiceSettings } from "./settings/service-settings.ts";
import { createReadiness } from "./start/readiness.ts";
import { observeStarts } from "./telemetry/observe-calls.ts";
import { observeCanary, observeObstacles, observeWork } from "./telemetry/observe-work.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { startRetranscriptionWorker } from "./worker/retranscription-worker.ts";
import { startTranscriptionWorker } from "./worker/transcription-worker.ts";
import { roomOfFiles } from "./rules/machine-needs.ts";
import { reapVideos, startVideoWorker } from "./worker/videos/video-worker.ts";
import { broken } from "./worker/settle-failure.ts";

export interface Service {
  /** Address such as http://127.0.0.1:8787; `undefined` for a process that only works on the queue. */
  readonly url: string | undefined;
  /** Throws a `ServiceError` if calls should go elsewhere, within about two seconds. */
  checkReady(): Promise<void>;
  /** The unavailable platforms and recognizers that reels wait for here. */
  away(): readonly string[];
  /**
   * From then on `/readyz` fails, connections are not kept and nothing is claimed; calls are still answered. Resolves when no
   * work is left, which a process that answers calls can never know.
   */
  drain(): Promise<void>;
  /** Ends waiting calls with a request to retry, returns running work to the queue, and answers all other calls. */
  stop(): Promise<void>;
}

/** A running part of the service, and its periodic tasks. */
interface Running {
  readonly stop: () => Promise<void>;
  readonly tasks: readonly PeriodicTask[];
}

interface RunningWorkers extends Running {
  /** Claims nothing more; resolves when its work is done. */
  readonly drain: () => Promise<void>;
}

/** Joins ports, use-cases and doors, and starts to serve. Tests start this. */
export async function startService(
  settings: ServiceSettings,
  ports: Ports,
  listener: FaultListener,
  telemetry?: Telemetry,
): Promise<Service> {
  const { store, clock } = ports;
  const readiness = createReadiness(() => store.ping());
  const draining = new AbortController();
  const closing = new AbortController();
  // Each running call adds a listener to it.
  setMaxListeners(0, closing.signal);
  const taskNames: string[] = [];
  const opened = settings.role === "worker" ? undefined : await openDoors();
  const away = new Set<string>();
  const onOutage: FaultListener["onOutage"] = (needed, change) => {
    if (change.isAway) away.add(needed);
    else away.delete(needed);
    telemetry?.metrics?.outageChanged(needed, change.isAway);
    listener.onOutage?.(needed, change);
  };
  const worker =
    settings.role === "api" ? undefined : startWorkers(settings, ports, { ...listener, onOutage }, telemetry);
  const tasks = [
    ...store.upkeep,
    foldBioEvents(store.bioEvents),
    deliverWebhooks(store.webhooks, ports.webhookSender, () => clock.now()),
    checkBioLinks(store.bioLinkHealth, ports.probeLink, () => clock.now()),
    ...(opened?.tasks ?? []),
    ...(worker?.tasks ?? []),
  ];
  taskNames.push(...tasks.map(({ name }) => name));
  const periodic = startPeriodicWork({
    tasks,
    taskLeases: store.taskLeases,
    clock,
    onFault: (error, task) => listener.onFault(error, `periodic task ${task}`),
  });

  function openDoors(): Promise<Running & { readonly url: string }> {
    const { biller } = ports;
    if (biller === undefined) throw new Error("a process that answers needs a biller");
    return startDoors({
      settings,
      ports: { ...ports, biller, store: telemetry ? { ...store, ...observeStarts(store) } : store },
      closing: closing.signal,
      draining: draining.signal,
      checkReady: () => readiness.check(),
      taskNames: () => taskNames,
      listener,
      telemetry,
    });
  }

  return {
    url: opened?.url,
    checkReady: () => readiness.check(),
    away: () => [...away],
    drain() {
      readiness.drain();
      draining.abort();
      const drained = worker?.drain();
      return drained !== undefined && opened === undefined ? drained : new Promise(() => undefined);
    },
    async stop() {
      closing.abort(
        new ServiceError(
          "unavailable",
          "The service is restarting. Your transcription will continue. Try again in a few seconds.",
          { reason: "shuttingDown", retryAfter: 10 },
        ),
      );
      await periodic.stop();
      await worker?.stop();
      await opened?.stop();
    },
  };
}

async function startDoors(parts: Omit<DoorParts, "baseUrl">): Promise<Running & { readonly url: string }> {
  const { settings, ports } = parts;
  let url = "";
  const doors = await createDoors({ ...parts, baseUrl: () => url });
  await ports.heldPort?.release();
  await doors.http.listen({ host: settings.host, port: settings.port });
  url = settings.baseUrl ?? addressOf(doors.http, settings.host);
  return { url, tasks: doors.tasks, stop: () => doors.stop() };
}

function startWorkers(
  settings: ServiceSettings,
  { store, source, transcriber, canary, videoRenderer, clock }: Ports,
  listener: FaultListener,
  telemetry: Telemetry | undefined,
): RunningWorkers {
  if (transcriber === undefined) throw new Error("a process that works the queue needs a transcriber");
  const work = { store, source, transcriber };
  const observed = telemetry && observeWork(work, telemetry);
  // Process ids are the same in every container.
  const processName = `${hostname()}-${randomUUID()}`;
  const surroundings = {
    ...work,
    clock,
    workDirectory: settings.workDirectory,
    maxMediaBytes: settings.maxMediaBytes,
    maxFileBytes: settings.maxFileBytes,
    maxFileSeconds: settings.maxFileSeconds,
    outageSeconds: settings.outageSeconds,
    sampleReelUrl: settings.sampleReelUrl,
    ...observed,
    onFault: (error: unknown, claim?: Claim) => {
      if (claim) observed?.onFault(error, claim);
      listener.onFault(error, claim ? `transcription ${claim.transcriptionId}` : "worker");
    },
  };
  const worker = startTranscriptionWorker({
    ...surroundings,
    onObstacle: telemetry && observeObstacles(telemetry),
    onOutage: ({ kind, name }, change) => listener.onOutage?.(name === undefined ? kind : `${kind} ${name}`, change),
    name: `worker-${processName}`,
    concurrency: settings.slots + 1,
    makesVideos: videoRenderer !== undefined,
  });
  const retranscriptions = startRetranscriptionWorker({ ...surroundings, name: `retranscriptions-${processName}` });
  const videos =
    videoRenderer &&
    startVideoWorker({
      store,
      renderer: videoRenderer,
      clock,
      workDirectory: settings.workDirectory,
      maxFileBytes: settings.maxFileBytes,
      bytesOfTranscriptions: roomOfFiles(settings),
      name: `videos-${processName}`,
      onFault: (error, claim) => listener.onFault(error, claim ? `video ${claim.videoId}` : "video worker"),
    });
  return {
    tasks: [
      reapTranscriptions(surroundings.store.transcriptions, broken),
      ...(videos ? [reapVideos({ store, clock })] : []),
      ...(canary && telemetry ? [askCanary(canary, observeCanary(telemetry))] : []),
    ],
    drain: async () => void (await Promise.all([videos?.drain(), retranscriptions.drain(), worker.drain()])),
    async stop() {
      await videos?.stop();
      await retranscriptions.stop();
      await worker.stop();
    },
  };
}

function addressOf(door: FastifyInstance, host: string): string {
  const { port } = door.server.address() as AddressInfo; // safe: it listens on a port, never on a socket file
  const reachableHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachableHost.includes(":") ? `[${reachableHost}]` : reachableHost}:${port}`;
}
