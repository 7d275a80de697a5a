/** Takes the focus to a field of the draft by its name, as soon as it is drawn. */
export function focusField(name: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus());
}
