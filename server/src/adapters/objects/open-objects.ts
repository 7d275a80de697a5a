import path from "node:path";
import type { Config } from "../../settings/config.ts";
import type { Objects } from "../../ports.ts";
import { createDiskObjects } from "./disk-objects.ts";
import { createS3Objects } from "./s3-objects.ts";

/** Opens the configured storage, without a request; `undefined` if the database keeps everything. */
export function openObjects(
  settings: Config["objectStorage"],
  dataDirectory: string,
  onFailure: (error: unknown, action: string) => void,
): Objects | undefined {
  if (settings.kind === "database") return undefined;
  const objects =
    settings.kind === "s3" ? createS3Objects(settings) : createDiskObjects(path.join(dataDirectory, "objects"));
  const reportFailures =
    <Rest extends unknown[], Result>(action: string, work: (name: string, ...rest: Rest) => Promise<Result>) =>
    (name: string, ...rest: Rest): Promise<Result> =>
      work(name, ...rest).catch((error: unknown) => {
        onFailure(error, name.startsWith("media/") ? `${action}Media` : action);
        throw error;
      });
  return {
    put: reportFailures("put", objects.put),
    get: reportFailures("get", objects.get),
    remove: reportFailures("remove", objects.remove),
  };
}
