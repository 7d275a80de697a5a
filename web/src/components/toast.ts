export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

const listeners = new Set<() => void>();
let shown: Toast | undefined;
let last = 0;

function change(toast: Toast | undefined): void {
  shown = toast;
  for (const listener of listeners) listener();
}

/** Says at the bottom what was done, for 4 s; `undo` takes it back. One at a time, the newest. */
export function showToast(text: string, options: { readonly undo?: () => void } = {}): void {
  change({ id: (last += 1), text, undo: options.undo });
}

export const hideToast = (id: number): void => {
  if (shown?.id === id) change(undefined);
};

export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => shown,
};
