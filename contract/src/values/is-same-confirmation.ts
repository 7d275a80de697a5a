const plain = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** Whether what was typed is what was asked for, in small or capital letters. */
export const isSameConfirmation = (typed: string, wanted: string): boolean =>
  wanted !== "" && plain(typed) === plain(wanted);
