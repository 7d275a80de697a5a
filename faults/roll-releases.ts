import path from "node:path";
import { root } from "../scripts/root.ts";
import type { Release } from "./start-member.ts";
import type { Round } from "./run-round.ts";
import type { Proxies } from "./start-proxies.ts";

/** This tree, with one additional migration. */
const next: Release = { preload: [new URL("next-release.js", import.meta.url).href] };
const here: Release = {};

/** The built tree of an earlier release. Its programs read nothing of this one. */
const builtIn = (folder: string): Release => ({ file: path.resolve(root, folder, "server/dist/main.js") });

/**
 * Replaces the processes of the service one by one by another release: forward, back and forward again. Without the tree of
 * an earlier release, the newer one is this tree and a migration that only adds.
 */
export async function rollReleases({ world, undo, note }: Round, front: Proxies): Promise<void> {
  const { releaseBefore } = world;
  const [older, newer] = releaseBefore === undefined ? [here, next] : [builtIn(releaseBefore), here];
  const roll = async (release: Release): Promise<void> => {
    for (const member of world.members) {
      await member.stop();
      await member.start({ release });
      await front.knowAll();
    }
  };
  if (releaseBefore !== undefined) await roll(older);
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
