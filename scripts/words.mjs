import { build } from "./build.mjs";

const [file, language] = process.argv.slice(2);
if (file === undefined) {
  console.error("Which file? npm run words -- FILE [LANGUAGE]");
  process.exit(1);
}
const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { createEmbeddedRecognizer, createMediaDecoder, createTranscriber, embeddedModelDirectory, WhisperError } =
  await import("@reelscript/whisper");
const transcriber = createTranscriber({
  decoder: await createMediaDecoder({ searchPath: process.env.PATH }),
  recognizer: createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory }),
  maxSeconds: 900,
});
try {
  const { words, gaps } = await transcriber.transcribe(file, { language, signal: new AbortController().signal });
  const rows = [
    ...(words ?? []).map(({ start, end, text }) => ({ start, end, text: text.trim() })),
    ...gaps.map(({ start, end, reason }) => ({ start, end, text: `(gap: ${reason})` })),
  ].sort((one, other) => one.start - other.start);
  for (const { start, end, text } of rows) console.log(`${start.toFixed(2)}\t${end.toFixed(2)}\t${text}`);
} catch (error) {
  if (!(error instanceof WhisperError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await transcriber.close();
}
