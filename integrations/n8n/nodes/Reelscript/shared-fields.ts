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
