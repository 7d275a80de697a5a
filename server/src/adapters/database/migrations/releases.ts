/** A release that operators may return to, and how many of our migrations it has. */
interface FormerRelease {
  readonly version: string;
  readonly migrations: number;
}

/**
 * Earlier releases, the oldest first; a test compares them with the changelog. A release starts on tables that later ones changed
 * if each of the migrations that it lacks only added.
 */
export const formerReleases: readonly FormerRelease[] = [{ version: "1.0.0", migrations: 1 }];

/** The earliest release that starts on tables with these migrations, in their order; `null` if none before this one does. */
export function oldestReleaseOn(applied: readonly { readonly isAdditive: boolean }[]): string | null {
  const release = formerReleases.find(({ migrations: known }) =>
    applied.slice(known).every(({ isAdditive }) => isAdditive),
  );
  return release?.version ?? null;
}
