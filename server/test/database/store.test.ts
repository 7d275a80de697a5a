import { describe } from "vitest";
import { sentMediaConformance } from "./conformance/sent-media.ts";
import { openEmbedded, openOnServer, plainly } from "./opened-stores.ts";
import { storeConformance, transcriptConformance } from "./store-conformance.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe("the embedded database", () => {
  storeConformance(openEmbedded);
  sentMediaConformance(openEmbedded);

  describe("with plain transcripts", () => {
    transcriptConformance(plainly(openEmbedded));
  });
});

describe.skipIf(!testDatabaseUrl)(
  "a PostgreSQL server (runs with TEST_DATABASE_URL=postgres://user@host/database, where databases may be made)",
  () => {
    const open = () => openOnServer(testDatabaseUrl ?? "");
    storeConformance(open);
    sentMediaConformance((objects) => openOnServer(testDatabaseUrl ?? "", objects));

    describe("with plain transcripts", () => {
      transcriptConformance(plainly(open));
    });
  },
);
