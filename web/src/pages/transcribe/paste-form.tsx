import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { counted } from "../../format/number.ts";
import { costSentence } from "./cost-sentence.ts";
import { hintLanguages } from "./hint-languages.ts";
import { reelLinksIn } from "./reel-links.ts";
import { useReels } from "./use-reel.ts";

interface Props {
  /** What the field begins with. */
  readonly given: string;
  /** `undefined` while nothing can be taken. */
  readonly onReels: ((reels: readonly string[], languageHint: string | undefined) => void) | undefined;
}

/** Typing is not pasting: the platform is asked when the text rests. */
const restMilliseconds = 500;

export function PasteForm({ given, onReels }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(given);
  const [hint, setHint] = useState("");
  const { reels, rest, others } = useMemo(() => reelLinksIn(text), [text]);
  const rested = useRested(reels);
  const resolved = useReels(rested);
  const usage = useOperation("getUsage", {}).data?.transcriptions;
  const left = usage && Math.max(0, usage.limit - usage.used);
  const free = rested === reels ? resolved.filter(({ data }) => data?.transcript.cached).length : 0;
  const nothingFound = text.trim() !== "" && reels.length === 0;
  const cost = costSentence({ links: reels.length, others: nothingFound ? Math.max(1, others) : others, free, left });
  const sentence =
    rest.length === 0 ? cost : `${cost} ${counted(rest.length, "more stays", "more stay")} for the next time.`;

  const start = (): void => {
    if (reels.length === 0 || onReels === undefined) return field.current?.focus();
    onReels(reels, hint || undefined);
    setText(rest.join("\n"));
    field.current?.focus();
  };

  return (
    <form
      className="paste"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <label className="vh" htmlFor={id}>
        Reel links
      </label>
      <textarea
        ref={field}
        className="in"
        id={id}
        dir="auto"
        rows={2}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        placeholder="Paste a reel’s link, or a text with links in it"
        aria-describedby={`${id}-cost`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || reels.length === 0) return;
          event.preventDefault();
          start();
        }}
      />
      <div className="row wrap">
        <Select label="Language of the audio" labelHidden value={hint} options={hintLanguages} onChange={setHint} />
        <span className="meta grow" id={`${id}-cost`} role="status">
          {sentence}
        </span>
        <Button type="submit" size="large" disabled={nothingFound}>
          {reels.length > 1 ? `Transcribe ${counted(reels.length, "reel", "reels")}` : "Transcribe"}
        </Button>
      </div>
    </form>
  );
}

/** The last value that stayed for a moment. */
function useRested(value: readonly string[]): readonly string[] {
  const [rested, setRested] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
