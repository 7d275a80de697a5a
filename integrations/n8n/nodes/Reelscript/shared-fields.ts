import type { INodeProperties, INodePropertyOptions } from "n8n-workflow";

export const shownFor = (resource: string, ...operation: string[]): Pick<INodeProperties, "displayOptions"> => ({
  displayOptions: { show: { resource: [resource], operation } },
});

/** The operations of a resource; the first is the default. */
export function operationsOf(
  resource: string,
  first: INodePropertyOptions,
  ...others: INodePropertyOptions[]
): INodeProperties {
  const { value } = first;
  return {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: [first, ...others],
    default: value,
  };
}

export const languages: INodePropertyOptions[] = [
  { name: "Arabic", value: "ar" },
  { name: "English", value: "en" },
  { name: "French", value: "fr" },
  { name: "German", value: "de" },
  { name: "Hindi", value: "hi" },
  { name: "Indonesian", value: "id" },
  { name: "Italian", value: "it" },
  { name: "Portuguese", value: "pt" },
  { name: "Spanish", value: "es" },
  { name: "Tamil", value: "ta" },
  { name: "Telugu", value: "te" },
];
