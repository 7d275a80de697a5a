/** The database refuses the character U+0000, which captions and transcripts of strangers may hold. */
export const storable = (text: string): string => text.replaceAll("\0", "");
