/** Panels that our scripts announced, the newest last. */
const announced = new Map<string, number>();
/** A panel asks within moments. */
const mostKept = 100;

/** Notes that a tab's page opens a panel with a number. */
export function announcePanel(nonce: string, tabId: number): void {
  announced.set(nonce, tabId);
  const [oldest] = announced.keys();
  if (announced.size > mostKept && oldest !== undefined) announced.delete(oldest);
}

/** True if our script in this tab announced the panel. */
export const isAnnouncedPanel = (nonce: string, tabId: number): boolean => announced.get(nonce) === tabId;
