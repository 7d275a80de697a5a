interface Insight {
  readonly claim: string;
  /** The numbers behind it. */
  readonly evidence?: string;
  /** A reel that it is about. */
  readonly url?: string;
}

/** A takeaway is one sentence; shows what it says before the numbers that it says it by. */
export function splitInsight(sentence: string): Insight {
  const [, text = sentence, url] = /^(.*?):?\s*(https?:\/\/\S+)$/s.exec(sentence) ?? [];
  const cut = /[:;] |\. (?=\p{Lu})/u.exec(text);
  const claim = (cut ? text.slice(0, cut.index) : text).trim();
  const evidence = cut ? text.slice(cut.index + cut[0].length).trim() : "";
  const ended = /[.!?…]$/.test(claim) ? claim : `${claim}.`;
  return { claim: ended, ...(evidence && { evidence: capitalized(evidence) }), ...(url && { url }) };
}

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
