import type * as z from "zod";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import {
  onlyReads,
  operations,
  type Operation,
  type OperationName,
  type Tool,
  type ToolName,
} from "@reelscript/contract";
import { inlineSchema, jsonSchemaOf, type Json } from "../run/schemas.ts";
import { getBioAnalytics, getMyBioPage, updateBioPage } from "./tools/bio-page.ts";
import { uploadFile } from "./tools/files.ts";
import { findGuide } from "./tools/guides.ts";
import { getCompetitorReport } from "./tools/reports.ts";
import { listMyScripts, searchScripts, updateScript } from "./tools/scripts.ts";
import type { OutputOf, ToolShape } from "./tools/tool-shape.ts";
import { transcribeReel } from "./tools/transcriptions.ts";

const getMyUsage: ToolShape<OutputOf<"getUsage">> = {
  nulls: { "transcriptions.resetsAt": "never", "posts.limit": "unlimited" },
};

const getPlans: ToolShape<OutputOf<"getPlans">> = { nulls: { "plans.posts.limit": "unlimited" } };

/** Tools that differ from their operations. */
const shapes: { readonly [Name in ToolName]?: ToolShape } = {
  transcribe_reel: transcribeReel,
  upload_file: uploadFile,
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
      inputSchema: lazySchema(() => compactInput(writtenOut(input, "input"))),
      outputSchema: lazySchema(() => compactOutput(writtenOut(shape.answer?.schema ?? operation.output, "output"))),
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

function lazySchema(build: () => Json): StandardSchemaWithJSON<Record<string, unknown>> {
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

/** The service checks these and names the wrong field; in a list that agents read every time they would cost too much. */
const boundsOfText: ReadonlySet<string> = new Set(["pattern", "format", "examples", "minLength", "maxLength"]);
const boundsOfOthers: ReadonlySet<string> = new Set(["minItems", "maxItems", "additionalProperties"]);

/**
 * An input schema for an agent: fields with types, choices, defaults and descriptions, and bounds of numbers. Null isn't
 * listed, because leaving the field out means the same.
 */
const compactInput = (schema: Json): Json => ({ ...compactPart(schema), additionalProperties: false });

function compactPart(schema: Json): Json {
  const { anyOf, properties, items, ...rest } = schema as Json & {
    readonly anyOf?: readonly Json[];
    readonly properties?: Readonly<Record<string, Json>>;
    readonly items?: Json;
  };
  const entries = Object.fromEntries(
    Object.entries(rest).filter(
      ([name, value]) =>
        !boundsOfText.has(name) && !boundsOfOthers.has(name) && !(name === "default" && value === null),
    ),
  );
  const others = anyOf?.filter(({ type }) => type !== "null").map((one) => compactPart(one)) ?? [];
  const [only, ...more] = others;
  const choice = anyOf && (more.length > 0 ? { anyOf: others } : { ...only });
  return {
    ...choice,
    ...entries,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, compactPart(part)])),
    }),
    ...(items && { items: compactPart(items) }),
  };
}

/** The fields of an output, without their contents, which the OpenAPI document describes. */
const compactOutput = ({ properties = {} }: Json): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Json>>).map(([name, { type }]) => [
      name,
      type === undefined ? {} : { type },
    ]),
  ),
});

/**
 * Replaces every list of types by one type, or by `anyOf` if there were several: clients that translate tool schemas for their
 * model don't support lists of types.
 */
const portableSchema = (schema: Json): Json => portable(schema) as Json;

function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    if (key !== "type" || !Array.isArray(part) || "anyOf" in value) return [key, portable(part)];
    return ["anyOf", part.map((type: unknown) => ({ type }))];
  });
  return Object.fromEntries(entries);
}
