import { afterAll, afterEach, beforeAll } from "vitest";
import type { Store } from "../../src/ports.ts";
import { accountsAndKeys } from "./conformance/accounts-and-keys.ts";
import { billing } from "./conformance/billing.ts";
import { bio } from "./conformance/bio.ts";
import { bioFolding } from "./conformance/bio-folding.ts";
import { bioHandles } from "./conformance/bio-handles.ts";
import { corrections } from "./conformance/library/corrections.ts";
import { deletedScripts } from "./conformance/library/deleted-scripts.ts";
import { emptyQueue } from "./conformance/fixtures.ts";
import { files } from "./conformance/files.ts";
import { idempotentAnswers } from "./conformance/idempotent-answers.ts";
import { keyRequests } from "./conformance/key-requests.ts";
import { leases } from "./conformance/leases.ts";
import { library } from "./conformance/library/library.ts";
import { money } from "./conformance/money.ts";
import { operator } from "./conformance/operator.ts";
import { pages } from "./conformance/pages.ts";
import { queue } from "./conformance/queue.ts";
import { passwords } from "./conformance/passwords.ts";
import { platformPace } from "./conformance/platform-pace.ts";
import { rateLimits } from "./conformance/rate-limits.ts";
import { rememberedUse } from "./conformance/remembered-use.ts";
import { expiredData } from "./conformance/expired-data.ts";
import { removedAccounts } from "./conformance/removed-accounts.ts";
import { retranscriptions } from "./conformance/retranscriptions.ts";
import { reports } from "./conformance/reports.ts";
import { search } from "./conformance/search.ts";
import { shareLinks } from "./conformance/library/share-links.ts";
import { signIn } from "./conformance/sign-in.ts";
import { thumbnails } from "./conformance/thumbnails.ts";
import { transcriptions } from "./conformance/transcriptions.ts";
import { translations } from "./conformance/translations.ts";
import { videos } from "./conformance/videos.ts";
import { watching } from "./conformance/watching.ts";
import { webhooks } from "./conformance/webhooks.ts";

type Open = () => Promise<{ store: Store; close: () => Promise<void> }>;

/** The store that is open by the time a test asks something of it. */
function openedBy(open: Open): Store {
  let opened: Awaited<ReturnType<Open>> | undefined;
  const store = new Proxy({} as Store, { get: (_, name) => opened?.store[name as keyof Store] });
  beforeAll(async () => {
    opened = await open();
  });
  afterEach(() => emptyQueue(store));
  afterAll(() => opened?.close());
  return store;
}

/** Registers what depends on the form in which transcripts are stored. */
export function transcriptConformance(open: Open): void {
  const store = openedBy(open);
  transcriptions(store);
  search(store);
  library(store);
  corrections(store);
  deletedScripts(store);
  shareLinks(store);
  retranscriptions(store);
  translations(store);
}

/** Registers what the `Store` port promises, as tests. `open` gives an empty store; `close` ends it and removes its data. */
export function storeConformance(open: Open): void {
  const store = openedBy(open);

  accountsAndKeys(store);
  keyRequests(store);
  platformPace(store);
  rateLimits(store);
  transcriptions(store);
  leases(store);
  watching(store);
  queue(store);
  search(store);
  pages(store);
  library(store);
  corrections(store);
  deletedScripts(store);
  shareLinks(store);
  retranscriptions(store);
  reports(store);
  money(store);
  billing(store);
  bio(store);
  bioHandles(store);
  bioFolding(store);
  files(store);
  videos(store);
  idempotentAnswers(store);
  thumbnails(store);
  expiredData(store);
  signIn(store);
  passwords(store);
  operator(store);
  removedAccounts(store);
  rememberedUse(store);
  webhooks(store);
}
