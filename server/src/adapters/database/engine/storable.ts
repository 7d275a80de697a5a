/** The database refuses the character U+0000, which captions and transcripts of strangers may contain. */
export const storable = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);
