import type { Speech } from "../../../server/src/ports.ts";
import { createGatedTranscriber, type GatedTranscriber } from "../../../server/test/harness/gated-transcriber.ts";
import { startTestService, type TestService } from "../../../server/test/harness/start-test-service.ts";

/** A service that fetches reels of the platform from its stand-in, and a gate that holds transcriptions back. */
export interface ExtensionService {
  readonly service: TestService;
  readonly gate: GatedTranscriber;
}

/** Every reel says what is heard; without it the recognizer listens. */
export async function startExtensionService(speech?: Partial<Speech>): Promise<ExtensionService> {
  const gate = createGatedTranscriber();
  const transcriber = speech && {
    ...gate,
    transcribe: async (...given: Parameters<typeof gate.transcribe>) => ({
      ...(await gate.transcribe(...given)),
      ...speech,
    }),
  };
  const service = await startTestService({
    asPublicPlatform: true,
    rateLimits: { transcribe: 2, address: 6_000 },
    // A batch is the account's, so its reels count like the dashboard's.
    sessionRateLimits: { default: 6_000, transcribe: 2, bioWrite: 1_000 },
    repeated: ["advance-batches"],
    ...(transcriber && { transcriber }),
  });
  return { service, gate };
}
