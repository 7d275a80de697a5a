const plain = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** Compares the typed text with the wanted one, ignoring case. */
export const isSameConfirmation = (typed: string, wanted: string): boolean =>
  wanted !== "" && plain(typed) === plain(wanted);
