import {
  languageLine,
  languageSentence,
  recognitionQualities,
  languages,
  roughQualities,
} from "@reelscript/contract/values";
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { useKeptForm } from "../../api/kept-drafts.ts";
import { useChange, useOperation, operationQuery } from "../../api/use-operation.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Select } from "../../components/field.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { useRested } from "../../components/search-field.tsx";
import { counted, exactNumber, shownAddress, whenUsed } from "../../format.ts";
import { type BatchCost, useBatchCost } from "./batches/batch-cost.ts";
import { FilePicker } from "./files/file-picker.tsx";
import { reelLinksIn } from "./reel-links.ts";
import { useTranscribeJobs } from "./transcribe-jobs.ts";
import { UnsentLines } from "./unsent-lines.tsx";
import type { Output } from "@reelscript/client/core";
import { useQueries } from "@tanstack/react-query";

function hintLanguages(qualities: Output<"getProductOverview">["languages"]) {
  const warningOf = (language: string): string => {
    const quality = qualities.find(({ code }) => code === language)?.quality;
    return quality && roughQualities.has(quality) ? ` (${recognitionQualities[quality].replace(/;.*/, "")})` : "";
  };
  return [
    { value: "", label: "Detect language" },
    ...Object.entries(languages)
      .toSorted(([, left], [, right]) => left.localeCompare(right))
      .map(([value, name]) => ({ value, label: name + warningOf(value) })),
  ];
}

const translationOptions = [
  { value: "", label: "No translation" },
  { value: "en", label: "English too, by machine (free)" },
];

interface LanguageNoteProps {
  readonly qualities: Output<"getProductOverview">["languages"];
  /** The chosen language, or empty. */
  readonly hint: string;
}

/** How reliably the chosen language is recognized, or a line about all of them with the rest behind it. */
function LanguageNote({ qualities, hint }: LanguageNoteProps) {
  const hinted = qualities.find(({ code }) => code === hint);
  if (hinted)
    return (
      <p className="hint language-note">{`${hinted.name}: ${recognitionQualities[hinted.quality]}${figureOf(hinted)}.`}</p>
    );
  // Keeps the line's place until it is known.
  if (qualities.length === 0) return <p className="hint language-note">&nbsp;</p>;
  const byCode = Object.fromEntries(qualities.map(({ code, quality }) => [code, quality]));
  return (
    <details className="hint language-note">
      <summary>
        {languageLine(byCode)} <Icon name="info" />
        <span className="visually-hidden">More about languages</span>
      </summary>
      <p>{languageSentence(byCode)}</p>
    </details>
  );
}

function figureOf({ wordErrorPercent, recordings }: Output<"getProductOverview">["languages"][number]): string {
  if (wordErrorPercent === undefined || recordings === undefined) return "";
  return ` (${Math.round(wordErrorPercent)} of 100 words wrong in ${counted(recordings, "recording", "recordings")})`;
}

interface Props {
  readonly given: string;
  readonly takesFocus?: boolean;
  readonly onAdded: () => void;
}

/** Typing isn't pasting: the platform receives a request when typing pauses. */
const restMilliseconds = 500;
const noReels: readonly string[] = [];

export function PasteForm({ given, takesFocus = false, onAdded }: Props) {
  const id = useId();
  const jobs = useTranscribeJobs();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useKeptForm(given === "" ? "transcribe" : undefined, given);
  const [hint, setHint] = useState("");
  const [translates, setTranslates] = useState("");
  const overview = useOperation("getProductOverview", {}, { staleTime: 300_000 }).data;
  const links = usePastedLinks(text, hint, overview?.reelUrls ?? []);
  const { reels, linksToSend } = links;

  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const end = (urls: readonly string[]): void => {
    onAdded();
    // Rejected links stay, so that people can correct them.
    setText([...links.others, ...reels.filter((url) => !urls.includes(url)), ...links.rest].join("\n"));
  };
  const send = useChange("createBatch", {
    stale: ["listBatches", "getUsage", "createBatch"],
    onDone: (_, { urls = [] }) => end(urls),
  });
  const start = useOnceReady(jobs !== undefined && (reels.length < 2 || links.batchCost !== undefined), () => {
    field.current?.focus();
    const hinted = hint === "" ? {} : { languageHint: hint };
    const [only] = reels;
    if (only === undefined || linksToSend.length === 0 || send.isPending) return;
    if (reels.length > 1) return send.mutate({ urls: [...linksToSend], ...hinted });
    jobs?.add([{ url: only, ...hinted, ...(translates !== "" && { translate: "en" }) }]);
    end([only]);
  });

  return (
    <div className="stack tight">
      <form
        className="paste stack"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <textarea
          ref={field}
          className="input"
          aria-label="Reel links"
          dir="auto"
          rows={2}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder="Paste one or more reel links"
          aria-describedby={`${id}-cost`}
          aria-invalid={links.nothingFound}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || reels.length === 0) return;
            event.preventDefault();
            start();
          }}
        />
        {reels.length > 0 && <UnsentLines text={text} others={links.others} plainLines={links.plainLines} />}
        <div className="row wrap">
          <SpeechOptions
            qualities={overview?.languages}
            language={[hint, setHint]}
            translation={reels.length < 2 ? [translates, setTranslates] : undefined}
          />
          <CostLine id={`${id}-cost`} links={links} />
          <PasteButtons links={links} isSending={send.isPending} />
        </div>
        <ErrorNote error={send.error} />
      </form>
      <BesidePaste qualities={overview?.languages ?? []} hint={hint} translates={translates !== ""} />
    </div>
  );
}

/** The button for files, and the line about languages. */
const BesidePaste = ({ qualities, hint, translates }: LanguageNoteProps & { readonly translates: boolean }) => (
  <div className="beside-paste row wrap">
    <FilePicker languageHint={hint} translates={translates} />
    <LanguageNote qualities={qualities} hint={hint} />
  </div>
);

type OptionState = readonly [value: string, onChange: (value: string) => void];

interface SpeechOptionsProps {
  readonly qualities: Output<"getProductOverview">["languages"] | undefined;
  readonly language: OptionState;
  /** Undefined where there is no choice: a list of reels is only transcribed. */
  readonly translation: OptionState | undefined;
}

function SpeechOptions({ qualities, language: [language, onLanguage], translation }: SpeechOptionsProps) {
  const options = useMemo(() => hintLanguages(qualities ?? []), [qualities]);
  return (
    <>
      <Select label="Language of the audio" labelHidden value={language} options={options} onChange={onLanguage} />
      {translation !== undefined && (
        <Select
          label="Translation"
          labelHidden
          value={translation[0]}
          options={translationOptions}
          onChange={translation[1]}
        />
      )}
    </>
  );
}

interface PastedLinks {
  /** Addresses of reels without tracking parameters, each reel once, in order. */
  readonly reels: readonly string[];
  /** Links that exceed a batch are left for the next one. */
  readonly rest: readonly string[];
  /** Links that aren't reels, as they were written, each once. */
  readonly others: readonly string[];
  /** Lines without any link. */
  readonly plainLines: readonly string[];
  /** The cost of a batch of them, once the dry run has responded. */
  readonly batchCost: BatchCost | undefined;
  /** The links that are sent. */
  readonly linksToSend: readonly string[];
  readonly nothingFound: boolean;
  readonly sentence: string;
}

/** The links in a text, and their cost; `examples` are reel addresses that the service accepts. */
function usePastedLinks(text: string, hint: string, examples: readonly string[]): PastedLinks {
  const { reels, rest, others, plainLines, duplicates } = useMemo(() => reelLinksIn(text), [text]);
  const rested = useRested(reels, noReels, restMilliseconds);
  const resolved = useReels(rested.length === 1 ? rested : noReels);
  const restedCost = useBatchCost({ reels: rested, duplicates }, hint);
  const batchCost = rested === reels ? restedCost : undefined;
  const left = useLeft();
  const free = rested === reels ? resolved.filter(({ data }) => data?.transcript.cached).length : 0;
  const nothingFound = text.trim() !== "" && reels.length === 0;
  const single = costSentence({
    links: reels.length,
    others: nothingFound ? Math.max(1, others.length) : others.length,
    free,
    left,
    examples,
  });
  const cost = batchCost?.sentence || single;
  const later = ` ${counted(rest.length, "more stays", "more stay")} in the field. Send them next.`;
  const sentence = rest.length === 0 ? cost : cost + later;
  const linksToSend = batchCost?.linksToSend ?? reels;
  return { reels, rest, others, plainLines, batchCost, linksToSend, nothingFound, sentence };
}

/** The cost of the reels, or the fault of the text. */
const CostLine = ({ id, links: { nothingFound, sentence } }: { readonly id: string; readonly links: PastedLinks }) => (
  <span className={nothingFound ? "field-error grow" : "meta grow"} id={id} role="status">
    {nothingFound && <Icon name="alert" small />}
    {sentence}
  </span>
);

interface ButtonsProps {
  readonly links: PastedLinks;
  readonly isSending: boolean;
}

function PasteButtons({ links: { reels, linksToSend, batchCost, nothingFound }, isSending }: ButtonsProps) {
  return (
    <span className="row at-end">
      {linksToSend.length < reels.length && <LinkButton to="/usage">See plans</LinkButton>}
      <Button
        kind="ink"
        type="submit"
        disabled={nothingFound || (reels.length > 0 && linksToSend.length === 0)}
        busy={isSending && "Sending…"}
      >
        {buttonText(reels.length, linksToSend.length, batchCost?.isBeginning)}
      </Button>
    </span>
  );
}

function buttonText(reels: number, sendCount: number, isBeginning = true): string {
  if (reels < 2) return "Transcribe";
  if (sendCount === reels || sendCount === 0) return `Transcribe ${counted(reels, "reel", "reels")}`;
  return isBeginning
    ? `Transcribe the first ${exactNumber(sendCount)}`
    : `Transcribe the ${exactNumber(sendCount)} that fit`;
}

/** Transcriptions left in the plan. */
function useLeft(): number | undefined {
  const usage = useOperation("getUsage", {}).data?.transcriptions;
  return usage && Math.max(0, usage.limit - usage.used);
}

/** Sends a form that was submitted early as soon as possible, so that nobody has to press again. */
function useOnceReady(isReady: boolean, act: () => void): () => void {
  const isWanted = useRef(false);
  const actAtLast = useEffectEvent(act);
  useEffect(() => {
    if (!isWanted.current || !isReady) return;
    isWanted.current = false;
    actAtLast();
  }, [isReady]);
  return () => {
    if (isReady) act();
    else isWanted.current = true;
  };
}

interface LinkCounts {
  readonly links: number;
  readonly others: number;
  /** Links known to be cached. */
  readonly free: number;
  /** Transcriptions left in the quota; `undefined` while that isn't known. */
  readonly left: number | undefined;
  /** Examples of reel addresses that the service accepts. */
  readonly examples: readonly string[];
}

const shownList = whenUsed(() => new Intl.ListFormat("en", { type: "disjunction" }));

export function costSentence({ links, others, free, left, examples }: LinkCounts): string {
  if (links === 0) {
    if (others > 0) {
      const shapes = examples.map((example) => shownAddress(example.replace("{code}", "…")));
      return `No reel link found.${shapes.length === 0 ? "" : ` A reel link looks like ${shownList().format(shapes)}`}`;
    }
    return left === undefined
      ? ""
      : `${counted(left, "transcription", "transcriptions")} left. Reels already transcribed are free.`;
  }
  // Lines that won't be sent are listed above.
  const sentence = `${counted(links, "reel", "reels")} found.`;
  const most = links - free;
  if (most === 0) return `${sentence} Free: already transcribed.`;
  if (left !== undefined && left < most)
    return `${sentence} You have ${counted(left, "transcription", "transcriptions")} left. Reels someone already transcribed are free.`;
  const rest = left === undefined ? "" : ` of your ${exactNumber(left)}`;
  const some = free > 0 ? `${exactNumber(free)} free. The rest uses` : "Uses";
  return `${sentence} ${some} at most ${exactNumber(most)}${rest} ${(left ?? most) === 1 ? "transcription" : "transcriptions"}.`;
}

const mostResolved = 5;
const staleMilliseconds = 300_000;

/**
 * The platform's facts about the first few reels, and whether they are cached. Fetched once, because each call makes a request
 * to the platform.
 */
export const useReels = (urls: readonly string[]) =>
  useQueries({
    queries: urls.slice(0, mostResolved).map((url) => ({
      ...operationQuery("resolveReel", { url }),
      staleTime: staleMilliseconds,
      retry: false,
      retryOnMount: false,
      refetchOnWindowFocus: false,
    })),
  });
