import type { INodeProperties } from "n8n-workflow";
import { apiFields } from "./api-fields";
import { operationsOf, shownFor } from "./shared-fields";

export const batchFields: INodeProperties[] = [
  operationsOf(
    "batch",
    {
      name: "Create",
      value: "create",
      description: "Transcribe up to 100 reels; the service continues without the workflow",
      action: "Create a batch",
    },
    {
      name: "Get",
      value: "get",
      description: "Retrieve how far a batch is, and the state of each link",
      action: "Get a batch",
    },
    {
      name: "Retry",
      value: "retry",
      description: "Begin the failed and canceled links again that can work now",
      action: "Retry a batch",
    },
    {
      name: "Stop",
      value: "stop",
      description: "Cancel the links that haven't begun",
      action: "Stop a batch",
    },
  ),
  {
    displayName: "Reel URLs",
    name: "urls",
    type: "string",
    typeOptions: { rows: 4 },
    required: true,
    default: "",
    placeholder: "e.g. https://www.instagram.com/reel/DLlGZiCOBQ0/",
    description:
      "Links of public reels with spaces, commas or line breaks between them, or a list. Each reel counts once.",
    ...shownFor("batch", "create"),
  },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add option",
    default: {},
    options: [
      {
        displayName: "Dry Run",
        name: "dryRun",
        type: "boolean",
        default: true,
        description: "Whether to only say what the batch would cost, and change nothing",
      },
      {
        ...apiFields.languageHint,
        description: "The spoken language of all reels, if you know it. Detected otherwise.",
      },
    ],
    ...shownFor("batch", "create"),
  },
  {
    displayName: "Batch ID",
    name: "batchId",
    type: "string",
    required: true,
    default: "",
    placeholder: "e.g. bat_4Tz8Qm1Lw0XcVb7K",
    ...shownFor("batch", "get", "retry", "stop"),
  },
  {
    displayName: "One Item per Link",
    name: "splitLinks",
    type: "boolean",
    default: false,
    description: "Whether to give each link its own item, with its state and the ID of its script",
    ...shownFor("batch", "get"),
  },
];
