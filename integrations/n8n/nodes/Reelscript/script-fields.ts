import type { INodeProperties } from "n8n-workflow";
import { apiFields } from "./api-fields";
import { operationsOf, shownFor } from "./shared-fields";

export const scriptFields: INodeProperties[] = [
  operationsOf(
    "script",
    {
      name: "Get",
      value: "get",
      description: "Retrieve a script with its whole transcript",
      action: "Get a script",
    },
    {
      name: "Get Many",
      value: "getAll",
      description: "Search or list the scripts of your library",
      action: "Get many scripts",
    },
    {
      name: "Get Subtitles",
      value: "getSubtitles",
      description: "Download a script as a subtitle file",
      action: "Get subtitles of a script",
    },
  ),
  {
    displayName: "Script",
    name: "script",
    type: "resourceLocator",
    required: true,
    default: { mode: "list", value: "" },
    modes: [
      {
        displayName: "From List",
        name: "list",
        type: "list",
        placeholder: "Select a script...",
        typeOptions: { searchListMethod: "searchScripts", searchable: true },
      },
      {
        displayName: "By Reel URL",
        name: "url",
        type: "string",
        placeholder: "e.g. https://www.instagram.com/reel/DLlGZiCOBQ0/",
      },
      { displayName: "By ID", name: "id", type: "string", placeholder: "e.g. scr_4Tz8Qm1Lw0XcVb7K" },
    ],
    ...shownFor("script", "get", "getSubtitles"),
  },
  { ...apiFields.format, ...shownFor("script", "getSubtitles") },
  {
    displayName: "Put Output File in Field",
    name: "binaryPropertyName",
    type: "string",
    required: true,
    default: "data",
    hint: "The name of the output binary field to put the file in",
    ...shownFor("script", "getSubtitles"),
  },
  {
    displayName: "Search",
    name: "query",
    type: "string",
    default: "",
    placeholder: 'e.g. sourdough "first sentence"',
    description:
      "All words must be said or be in the caption; words in quotes match as a phrase. Empty lists all scripts.",
    ...shownFor("script", "getAll"),
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    ...shownFor("script", "getAll"),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { resource: ["script"], operation: ["getAll"], returnAll: [false] } },
  },
  { ...apiFields.sort, ...shownFor("script", "getAll") },
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    options: [
      {
        displayName: "Account",
        name: "account",
        type: "string",
        default: "",
        placeholder: "e.g. ana.coffee",
        description: "Handle of the account that posted the reel",
      },
      apiFields.language,
      apiFields.length,
      apiFields.platform,
    ],
    ...shownFor("script", "getAll"),
  },
  {
    displayName: "Simplify",
    name: "simplify",
    type: "boolean",
    default: true,
    description: "Whether to return a simplified version of the response instead of the raw data",
    ...shownFor("script", "get", "getAll"),
  },
];
