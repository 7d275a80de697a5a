/** Another process uses the data directory: the message says which, and what to do. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";

  constructor(
    directory: string,
    holder: { readonly pid: number; readonly host: string; readonly since: string } | undefined,
  ) {
    super(
      `The data directory ${directory} is in use by ${holder ? `process ${holder.pid} on ${holder.host} since ${holder.since}` : "another process"}. Stop that process, or choose another directory with DATA_DIR.`,
    );
  }
}
