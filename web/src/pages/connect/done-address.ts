/**
 * Where the extension reads the answer: in the address of the tab that it opened, behind the #, which browsers send to
 * nobody.
 */
export const doneAddress = (answer: Readonly<Record<string, string>>): string =>
  `/app/connect/done#${new URLSearchParams(answer)}`;
