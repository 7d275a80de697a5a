import { migrations } from "./migrations.ts";

/**
 * The last migration of the earliest release that operators may return to. Earlier ones refuse every migration that they don't
 * know. docs/operations.md and the changelog name it.
 */
export const oldestReturn = "0007-clocks-of-machines";

/**
 * The last migration of the earliest release that starts on tables with these migrations, in their order; `null` if none before
 * this one does. A release starts if each migration that it lacks only added.
 */
export function oldestReleaseOn(
  applied: readonly { readonly name: string; readonly isAdditive: boolean }[],
): string | null {
  if (!applied.slice(migrations.length).every(({ isAdditive }) => isAdditive)) return null;
  const knownMigrations = applied.slice(0, migrations.length);
  const lastBarrier = knownMigrations.findLastIndex(({ isAdditive }) => !isAdditive);
  const oldest = knownMigrations.findIndex(({ name }) => name === oldestReturn);
  const last = knownMigrations[Math.max(lastBarrier, oldest)];
  return last === undefined || last.name === knownMigrations.at(-1)?.name ? null : last.name;
}
