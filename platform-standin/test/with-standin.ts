import { afterAll, beforeAll, beforeEach } from "vitest";
import { type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";

/** A stand-in for the tests of a file; its counters and wall are reset before each test. */
export function withStandin(clock?: () => Date): () => PlatformStandin {
  let standin: PlatformStandin | undefined;
  const get = () => {
    if (!standin) throw new Error("the stand-in has not started");
    return standin;
  };
  beforeAll(async () => {
    standin = await startPlatformStandin(clock ? { clock } : {});
  });
  beforeEach(() => {
    get().counters.reset();
    get().setWall(undefined);
  });
  afterAll(() => get().close());
  return get;
}

export const codeOfKind = ({ reels }: Pick<PlatformStandin, "reels">, kind: string): string => {
  const reel = reels.find((each) => each.kind === kind);
  if (!reel) throw new Error(`no reel of the kind ${kind}`);
  return reel.code;
};
