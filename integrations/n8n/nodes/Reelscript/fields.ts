import type { INodeProperties } from "n8n-workflow";
import { apiFields } from "./api-fields";
import { batchFields } from "./batch-fields";
import { scriptFields } from "./script-fields";
import { operationsOf, shownFor } from "./shared-fields";

const transcribing: INodeProperties[] = [
  operationsOf("reel", {
    name: "Transcribe",
    value: "transcribe",
    description: "Turn the speech of a public reel into text and add it to your library",
    action: "Transcribe a reel",
  }),
  {
    displayName: "Reel URL",
    name: "url",
    type: "string",
    required: true,
    default: "",
    placeholder: "e.g. https://www.instagram.com/reel/DLlGZiCOBQ0/",
    description: "Link of a public reel, TikTok or Short. One that was transcribed before is free.",
    ...shownFor("reel", "transcribe"),
  },
  {
    displayName: "Wait for Transcript",
    name: "wait",
    type: "boolean",
    default: true,
    description:
      "Whether to wait for the transcript. Otherwise a new reel gives a transcription ID, for Transcription: Get or the trigger.",
    ...shownFor("reel", "transcribe"),
  },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add option",
    default: {},
    options: [
      { ...apiFields.languageHint, description: "The spoken language, if you know it. Detected otherwise." },
      {
        displayName: "Maximum Wait (Seconds)",
        name: "maximumWait",
        type: "number",
        typeOptions: { minValue: 1, maxValue: 600 },
        default: 300,
        description: "If it takes longer, the output has the status and the transcription ID, and no transcript",
      },
    ],
    ...shownFor("reel", "transcribe"),
  },
  operationsOf("transcription", {
    name: "Get",
    value: "get",
    description: "Retrieve the progress of a transcription, and its transcript when it is done",
    action: "Get a transcription",
  }),
  {
    displayName: "Transcription ID",
    name: "transcriptionId",
    type: "string",
    required: true,
    default: "",
    placeholder: "e.g. trn_5Ux9Rn2Mx1YdWc8L",
    ...shownFor("transcription", "get"),
  },
];

export const fields: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      { name: "Account", value: "account" },
      { name: "Batch", value: "batch" },
      { name: "Reel", value: "reel" },
      { name: "Script", value: "script" },
      { name: "Transcription", value: "transcription" },
    ],
    default: "reel",
  },
  ...transcribing,
  ...batchFields,
  ...scriptFields,
  operationsOf("account", {
    name: "Get Usage",
    value: "getUsage",
    description: "Retrieve the plan, the transcriptions used and when they reset",
    action: "Get usage",
  }),
];
