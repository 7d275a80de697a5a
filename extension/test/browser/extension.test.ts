import { hour } from "../../../server/test/harness/test-clock.ts";
import { describeInBrowser } from "../../../web/test/browser/chromium-program.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { heardWords } from "./heard-words.ts";
import { hostilePage } from "./hostile-page.ts";
import { outages } from "./outages.ts";
import { profiles } from "./profiles.ts";
import { reels } from "./reels.ts";
import { startExtension, type ExtensionTrial } from "./start-extension.ts";

// One Chromium and one service for all, because starting them takes longer than most tests.
describeInBrowser("the extension", () => {
  const trial = {} as ExtensionTrial; // safe: nobody has it before it is filled
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const started = await startExtension(heardWords);
    close = () => started.close();
    Object.assign(trial, started);
    // Has the scripts run on the platform's pages, which a permission alone that is given by the browser's own page does not.
    await trial.connectByHand("first@example.com");
  });
  // Two single reels and two of batches may be transcribed in an hour.
  beforeEach(() => trial.service.clock.advance(2 * hour));
  afterEach(() => trial.tidy());
  afterAll(() => close());

  describe("in a hostile page", () => {
    hostilePage(trial);
  });
  describe("on reels", () => {
    reels(trial);
  });
  describe("on profiles", () => {
    profiles(trial);
  });
  describe("when something is away", () => {
    outages(trial);
  });
});
