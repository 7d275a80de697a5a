/** The commit of a release with this last migration; `undefined` where the history doesn't reach so far. */
export function commitOfRelease(lastMigration: string, migrations: readonly string[]): string | undefined;
/** Builds the service of a commit in a folder, with the libraries of this tree. */
export function buildRelease(commit: string, folder: string): Promise<void>;
