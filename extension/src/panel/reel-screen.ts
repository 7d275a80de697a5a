import type { FullScript, TranscribeResult, Usage } from "@reelscript/contract";
import { draftOffer, type Language, languageLine, languages, languageSentence } from "@reelscript/contract/values";
import { button, meter, troubleNote } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { exactNumber } from "../interface/format.ts";
import type { CallError, Output, Transcription } from "@reelscript/client/core";
import { call, asCallError } from "../service/call.ts";
import { scriptOf, syncLibrary } from "../service/library.ts";
import { transcribe } from "../service/transcribe.ts";
import { actButton } from "./act-button.ts";
import type { PanelParts, Screen } from "./screen.ts";
import { createScriptPart } from "./script-part.ts";
import { createSendPart } from "./send-part.ts";

/** On a reel: its transcript, which follows the video. */
export function createReelScreen(code: string, parts: PanelParts): Screen {
  const node = element("main");
  const controller = new AbortController();
  const { signal } = controller;
  let isBusy = false;
  let script: ReturnType<typeof createScriptPart> | undefined;
  let send: ReturnType<typeof createSendPart> | undefined;

  async function begin(): Promise<void> {
    const id = await scriptOf(code);
    if (id === undefined) return offer();
    try {
      await open(id);
    } catch (error) {
      if (!signal.aborted) await missing(asCallError(error));
    }
  }

  /** It may have been deleted since the library was last read. */
  async function missing(trouble: CallError): Promise<void> {
    if (trouble.code !== "notFound") return fill(node, troubleNote(trouble, button("Try again", begin)));
    await syncLibrary();
    offer();
  }

  function offer(): void {
    const line = element("div", { class: "hint" });
    fill(node, ...offerNodes(code, parts.usage()?.transcriptions, () => run(), line));
    void call("getProductOverview", {}, { signal })
      .then((overview) => fill(line, languageNote(overview.languages)))
      // The reel can be transcribed without the warning.
      .catch(() => undefined);
  }

  async function run(languageHint?: Language): Promise<void> {
    const progress = createProgressNodes();
    fill(node, ...progress.nodes);
    await attempt(async () => transcribe(code, (transcription) => progress.show(transcription), signal, languageHint));
  }

  /** Shows the result, or the error. */
  async function attempt(work: () => Promise<TranscribeResult | undefined>): Promise<void> {
    isBusy = true;
    try {
      const result = await work();
      void parts.renewUsage();
      parts.tell({ type: "library" });
      const id = await scriptOf(code);
      if (id !== undefined) await open(id, result?.cached);
      else if (result !== undefined) fill(node, wordsOnly(result));
    } catch (error) {
      if (!signal.aborted)
        fill(node, ...failureNodes(code, asCallError(error), { again: () => run(), draft: run, sendMedia }));
    } finally {
      isBusy = false;
    }
  }

  async function sendMedia(): Promise<void> {
    const sending = createSendPart(code, parts, () => offer());
    send = sending;
    fill(node, element("h2", { class: "large" }, "Sending this reel"), sending.node);
    await attempt(async () => sending.run());
  }

  async function open(id: string, cached?: boolean): Promise<void> {
    const full: FullScript = await call("getScript", { id, words: true }, { signal });
    script = createScriptPart(full, parts, cached === true);
    fill(node, script.node);
    parts.tell({ type: "follow", isOn: true });
  }

  void begin();
  return {
    node,
    isBusy: () => isBusy,
    hear(message) {
      if (message.type === "playhead" && message.code === code) script?.follow(message.at, message.isPlaying);
      else send?.hear(message);
    },
    leave() {
      parts.tell({ type: "follow", isOn: false });
      send?.cancel();
      controller.abort(new Error("left"));
    },
  };
}

/** One line about languages, with the rest behind it. */
function languageNote(qualities: Output<"getProductOverview">["languages"]): HTMLElement {
  const byCode = Object.fromEntries(qualities.map(({ code, quality }) => [code, quality]));
  return element("details", {}, element("summary", {}, languageLine(byCode)), paragraph(languageSentence(byCode)));
}

function offerNodes(
  reel: string,
  transcriptions: Usage["transcriptions"] | undefined,
  run: () => Promise<void>,
  warning: Node,
): Node[] {
  const { used = 0, limit } = transcriptions ?? {};
  const left = limit === undefined ? "" : ` You have ${exactNumber(Math.max(0, limit - used))} left.`;
  return [
    element("h2", { class: "large" }, "Transcribe this reel"),
    paragraph(`This uses one transcription. If someone has already transcribed the reel, it’s free.${left}`),
    warning,
    actButton("Transcribe", run, { isLarge: true, icon: "wave", reel }),
    paragraph("Reelscript sends this reel’s link to your service. Nothing else about this page is sent.", "hint"),
  ];
}

function createProgressNodes() {
  const bar = meter("Transcribing", "voice");
  const step = element("p", { role: "status" }, "Looking for the reel…");
  return {
    nodes: [element("h2", { class: "large" }, "Transcribing"), bar.node, step],
    show(transcription: Transcription): void {
      bar.set(transcription.progress);
      step.textContent = stepText(transcription);
    },
  };
}

function failureNodes(
  reel: string,
  trouble: CallError,
  actions: {
    readonly again: () => Promise<void>;
    /** Requests a rough draft in a language that is refused unless it is named. */
    readonly draft: (language: Language) => Promise<void>;
    readonly sendMedia: () => Promise<void>;
  },
): (Node | false)[] {
  const canSend = trouble.code === "upstreamError";
  const { language } = draftOffer(trouble.message);
  const next =
    language === undefined
      ? actButton("Try again", actions.again, { kind: "quiet", reel })
      : actButton(`Draft in ${languages[language]}`, () => actions.draft(language), { reel });
  return [
    element("h2", { class: "large" }, "Not transcribed"),
    troubleNote(trouble, next),
    language !== undefined && paragraph("A rough draft uses one transcription.", "hint"),
    canSend &&
      paragraph(
        "The platform isn’t letting the service fetch this reel, but your browser has it. You can send the video from here: it uses one transcription, and the transcript goes to your library only.",
      ),
    canSend && actButton("Send this reel", actions.sendMedia, { isLarge: true }),
  ];
}

function stepText({ status, progress, waitingFor }: Transcription): string {
  if (waitingFor === "recognizer") return "Waiting until speech recognition is back";
  if (waitingFor === "storage") return "Waiting until your video can be read again";
  if (waitingFor === "platform" && status === "queued") return "Waiting until the platform answers again";
  if (status === "queued" || waitingFor) return "Waiting for its turn";
  return progress < 0.05 ? "Fetching the video" : `Listening, ${Math.round(progress * 100)} %`;
}

/** The panel shows this until the library has the script. */
const wordsOnly = ({ transcript, language }: TranscribeResult): HTMLElement =>
  element("p", { lang: language, dir: "auto" }, transcript === "" ? "No speech in this reel." : transcript);
