import {
  onlyReads,
  operations,
  type Operation,
  type OperationName,
  type Tool,
  type ToolName,
} from "@reelscript/contract";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { inlineSchema, jsonSchemaOf, type Json } from "../run/json-schema.ts";
import { getMyUsage, getPlans } from "./tools/account.ts";
import { getBioAnalytics, getMyBioPage, updateBioPage } from "./tools/bio-page.ts";
import { findGuide } from "./tools/guides.ts";
import { getCompetitorReport } from "./tools/reports.ts";
import { transcribeReel } from "./tools/transcriptions.ts";
import { listMyScripts, searchScripts, updateScript } from "./tools/scripts.ts";
import type { ToolShape } from "./tools/tool-shape.ts";
import { compactInput, compactOutput, portableSchema } from "./compact-schema.ts";

/** Tools that differ from their operations. */
const shapes: { readonly [Name in ToolName]?: ToolShape } = {
  transcribe_reel: transcribeReel,
  list_my_scripts: listMyScripts,
  search_my_scripts: searchScripts,
  update_script: updateScript,
  get_competitor_report: getCompetitorReport,
  get_my_bio_page: getMyBioPage,
  update_bio_page: updateBioPage,
  get_bio_analytics: getBioAnalytics,
  get_my_usage: getMyUsage,
  get_plans: getPlans,
  find_guide: findGuide,
};

export interface PreparedTool {
  readonly tool: Tool<ToolName>;
  readonly shape: ToolShape;
  readonly operationName: OperationName;
  readonly onlyReads: boolean;
  /** A call may last as long as a door waits, so it is answered by a stream that shows signs of life. */
  readonly mayTakeLong: boolean;
  readonly input: z.ZodObject;
  /**
   * JSON Schema for the protocol library, which doesn't check it, so that wrong input is counted and answered as everywhere
   * else.
   */
  readonly inputSchema: StandardSchemaWithJSON<Record<string, unknown>>;
  readonly outputSchema: StandardSchemaWithJSON<Record<string, unknown>>;
}

/** All tools in a fixed order, the same for everybody, with schemas that are built once, when somebody first needs them. */
export const preparedTools: readonly PreparedTool[] = (
  Object.entries(operations) as [OperationName, Operation<z.ZodObject, z.ZodObject, ToolName>][]
).flatMap(([operationName, operation]) =>
  (operation.tools ?? []).map((tool) => {
    const input = (tool.input ?? operation.input).strict();
    const shape = shapes[tool.name] ?? {};
    return {
      tool,
      shape,
      operationName,
      onlyReads: onlyReads(operation),
      mayTakeLong: operation.bucket === "transcribe",
      input,
      inputSchema: shown(() => compactInput(writtenOut(input, "input"))),
      outputSchema: shown(() => compactOutput(writtenOut(shape.answer?.schema ?? operation.output, "output"))),
    };
  }),
);

function writtenOut(schema: z.ZodObject, io: "input" | "output"): Json {
  return portableSchema(inlineSchema(jsonSchemaOf(schema, io)));
}

export const toolsByName: ReadonlyMap<string, PreparedTool> = new Map(
  preparedTools.map((prepared) => [prepared.tool.name, prepared]),
);

export function annotationsOf({ onlyReads: readOnlyHint, tool: { title, destructive, openWorld } }: PreparedTool) {
  return {
    title,
    readOnlyHint,
    ...(!readOnlyHint && { destructiveHint: destructive ?? false }),
    idempotentHint: true,
    openWorldHint: openWorld,
  };
}

function shown(build: () => Json): StandardSchemaWithJSON<Record<string, unknown>> {
  let built: Json | undefined;
  const json = (): Json => (built ??= build());
  return {
    "~standard": {
      version: 1,
      vendor: "reelscript",
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** The tools as clients see them. */
export const listedTools = () => preparedTools.map(listedTool);

export const listedTool = (prepared: PreparedTool) => ({
  name: prepared.tool.name,
  title: prepared.tool.title,
  description: prepared.tool.description,
  inputSchema: prepared.inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }),
  outputSchema: prepared.outputSchema["~standard"].jsonSchema.output({ target: "draft-2020-12" }),
  annotations: annotationsOf(prepared),
});
