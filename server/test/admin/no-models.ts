import { readConfig } from "../../src/settings/config.ts";

/** For commands that have nothing to do with models. */
export const noModels = {
  config: readConfig({}, "/"),
  onDownload: (): void => {
    throw new Error("nothing is downloaded here");
  },
};
