/** The stand-in of the platform in a process of its own, so that its memory and processor time are not the service's. */
import { readFile } from "node:fs/promises";
import { startPlatformStandin } from "../../platform-standin/dist/index.js";
import { answerParent } from "./child.mjs";

let standin;
const media = new Map();

answerParent({
  async open() {
    standin = await startPlatformStandin();
    return { origin: standin.origin, mediaOrigin: standin.mediaOrigin };
  },
  /** Publishes a media file as one more reel, under a code of its own; returns its address. */
  async publish({ path, seconds, language, text }) {
    if (!media.has(path)) media.set(path, await readFile(path));
    return standin.urlOf(standin.addReel({ bytes: media.get(path), seconds, language, text }).code);
  },
  close: () => standin.close(),
});
