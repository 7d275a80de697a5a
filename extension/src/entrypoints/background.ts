import { browser } from "@wxt-dev/browser";
import { isLibraryQuestion, isPanelAnnouncement, isPanelQuestion } from "../messages/page-messages.ts";
import { announcePanel, isAnnouncedPanel } from "../service/announced-panels.ts";
import { finishConnecting } from "../service/connect.ts";
import { keepFromPages } from "../service/connection.ts";
import { readLibrary } from "../service/library.ts";
import { runOnPlatform } from "../service/run-on-platform.ts";

void keepFromPages();
const run = (): void => void runOnPlatform();
browser.runtime.onInstalled.addListener(run);
browser.runtime.onStartup.addListener(run);
browser.permissions.onAdded.addListener(run);

browser.tabs.onUpdated.addListener((tabId, { url }) => {
  if (url !== undefined) void finishConnecting(tabId, url);
});

browser.runtime.onMessage.addListener((message: unknown, sender, answer) => {
  if (sender.id !== browser.runtime.id) return undefined;
  const tabId = sender.tab?.id;
  if (isPanelAnnouncement(message) && tabId !== undefined) {
    announcePanel(message.nonce, tabId);
    answer(true);
  }
  if (isPanelQuestion(message)) answer(tabId !== undefined && isAnnouncedPanel(message.nonce, tabId));
  if (!isLibraryQuestion(message)) return undefined;
  readLibrary()
    .then(({ scripts }) => answer(message.codes.filter((code) => Object.hasOwn(scripts, code))))
    .catch(() => answer([]));
  return true;
});
