const tag = /([#@][\p{L}\p{M}\p{N}_.]+)/u;

/** A caption's words. Tags are set apart, or in a right-to-left line their # would stand at the wrong end. */
export const CaptionText = ({ text }: { readonly text: string }) =>
  text.split(tag).map((part, place) => (tag.test(part) ? <bdi key={place}>{part}</bdi> : part));
