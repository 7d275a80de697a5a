import {
  NodeApiError,
  NodeConnectionTypes,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
} from "n8n-workflow";
import { fields } from "./fields";
import { listScripts, operations } from "./operations";

const nameLetters = 80;
const nameUnits = 400;

/** The first characters of a text, as readers count them. */
function beginningOf(text: string): string {
  const letters = Array.from(new Intl.Segmenter("und").segment(text.slice(0, nameUnits)), ({ segment }) => segment);
  // The last character may have been cut.
  return letters.slice(0, text.length > nameUnits ? Math.min(nameLetters, letters.length - 1) : nameLetters).join("");
}

export class Reelscript implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Reelscript",
    name: "reelscript",
    icon: { light: "file:../../icons/reelscript.svg", dark: "file:../../icons/reelscript.dark.svg" },
    group: ["input"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Transcribe reels, and search and read their transcripts",
    defaults: { name: "Reelscript" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "reelscriptApi", required: true }],
    properties: fields,
  };

  methods = {
    listSearch: {
      async searchScripts(
        this: ILoadOptionsFunctions,
        query?: string,
        cursor?: string,
      ): Promise<INodeListSearchResult> {
        const { scripts, nextCursor } = await listScripts(this, { ...(query && { query }), cursor, limit: 50 });
        const results = scripts.map(({ id, account, caption, transcript, reelUrl }) => ({
          name: [account, beginningOf(String(caption || transcript || reelUrl))].filter(Boolean).join(": "),
          value: String(id),
          url: String(reelUrl),
        }));
        return { results, paginationToken: nextCursor };
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys())
      try {
        const [resource, operation] = ["resource", "operation"].map((name) => this.getNodeParameter(name, item));
        for (const one of await operations[`${String(resource)}:${String(operation)}`]!(this, item))
          results.push({ ...one, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item });
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    return [results];
  }
}
