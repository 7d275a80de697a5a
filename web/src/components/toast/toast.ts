interface Toast extends Options {
  readonly id: number;
  readonly text: string;
}

interface Options {
  readonly undo?: (() => void) | undefined;
  /** It did not work. */
  readonly failed?: boolean;
}

const listeners = new Set<() => void>();
let shown: Toast | undefined;
let last = 0;

function change(toast: Toast | undefined): void {
  shown = toast;
  for (const listener of listeners) listener();
}

/** Says at the bottom what was done, or that it failed, for 4 s; `undo` takes it back. One at a time, the newest. */
export function showToast(text: string, options: Options = {}): void {
  change({ id: (last += 1), text, ...options });
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
