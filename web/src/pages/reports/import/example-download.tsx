import { downloadText } from "../download-text.ts";

/** Hands out a file that can be imported as it is. */
export function ExampleDownload() {
  const download = async (): Promise<void> => {
    const { default: example } = await import("../../samples/example-collection.json");
    downloadText("example-reels.json", "application/json", `${JSON.stringify(example, undefined, 2)}\n`);
  };
  return (
    <button type="button" className="link" onClick={() => void download()}>
      Download an example
    </button>
  );
}
