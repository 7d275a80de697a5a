import { describe } from "vitest";
import { openEmbedded, openOnServer } from "./opened-stores.ts";
import { storeConformance } from "./store-conformance.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe("the embedded database", () => {
  storeConformance(openEmbedded);
});

describe.skipIf(!testDatabaseUrl)(
  "a PostgreSQL server (runs with TEST_DATABASE_URL=postgres://user@host/database, where databases may be made)",
  () => {
    storeConformance(() => openOnServer(testDatabaseUrl ?? ""));
  },
);
