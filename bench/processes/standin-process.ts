/** The stand-in of the platform in a process of its own, so that its memory and processor time are not the service's. */
import { readFile } from "node:fs/promises";
import { type AddedReel, type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import { answerParent } from "./child.ts";

let standin: PlatformStandin;
const media = new Map<string, Buffer>();

export type PublishedFile = Omit<AddedReel, "bytes"> & { readonly path: string };

const methods = {
  async open() {
    standin = await startPlatformStandin();
    return { origin: standin.origin, mediaOrigin: standin.mediaOrigin };
  },
  /** Publishes a media file as one more reel, under a code of its own; returns its address. */
  async publish({ path, seconds, language, text }: PublishedFile) {
    const bytes = media.get(path) ?? (await readFile(path));
    media.set(path, bytes);
    return standin.urlOf(standin.addReel({ bytes, seconds, language, text }).code);
  },
  close: () => standin.close(),
};
export type StandinMethods = typeof methods;
answerParent(methods);
