import { element } from "./element.ts";

export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun when the click returns, but reads the text later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
