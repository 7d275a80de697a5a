import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../scripts/root.ts";
import type { Member, Release } from "./start-member.ts";
import type { Round } from "./run-round.ts";
import type { Proxies } from "./start-proxies.ts";
import { Impossible } from "./waiting.ts";

/** This tree, with one additional migration. */
const next: Release = { preload: [new URL("next-release.js", import.meta.url).href] };
const here: Release = {};

/** The built tree of an earlier release. Its programs read nothing of this one. */
const builtIn = (folder: string): Release => ({ file: path.resolve(root, folder, "server/dist/main.js") });

/** The older of two releases and the newer one. Without the tree of an earlier one, the newer is this tree and a migration. */
function releasesOf({ world: { releaseBefore } }: Round): { readonly older: Release; readonly newer: Release } {
  return releaseBefore === undefined ? { older: here, newer: next } : { older: builtIn(releaseBefore), newer: here };
}

const sideBySideSeconds = 30;

/** One process of each role is of the older release, and the other of the newer one, while callers call. */
export async function runSideBySide(round: Round, front: Proxies): Promise<void> {
  const { world, undo, note } = round;
  const { older, newer } = releasesOf(round);
  const restart = async (members: readonly Member[], release: Release): Promise<void> => {
    for (const member of members) {
      await member.stop();
      await member.start({ release });
      await front.knowAll();
    }
  };
  undo(() => restart(world.members, here));
  const [oneApi, otherApi] = world.apis();
  const [oneWorker, otherWorker] = world.workers();
  if (!oneApi || !otherApi || !oneWorker || !otherWorker) throw new Impossible("there is one process of each role");
  if (older !== here) await restart([oneApi, oneWorker], older);
  await restart([otherApi, otherWorker], newer);
  await pause(sideBySideSeconds * 1_000);
  note(`${sideBySideSeconds} s with two processes of each release`);
}

/**
 * Replaces the processes of the service one by one by another release: forward, back and forward again. Without the tree of
 * an earlier release, the newer one is this tree and a migration that only adds.
 */
export async function rollReleases(round: Round, front: Proxies): Promise<void> {
  const { world, undo, note } = round;
  const { older, newer } = releasesOf(round);
  const roll = async (release: Release): Promise<void> => {
    for (const member of world.members) {
      await member.stop();
      await member.start({ release });
      await front.knowAll();
    }
  };
  if (older !== here) await roll(older);
  undo(() => roll(here));
  for (const [way, release] of [
    ["forward", newer],
    ["back", older],
    ["forward again", newer],
  ] as const) {
    const from = performance.now();
    await roll(release);
    note(`${way}: ${world.members.length} processes in ${((performance.now() - from) / 1_000).toFixed(0)} s`);
  }
}
