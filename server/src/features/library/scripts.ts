import {
  bareTextOf,
  filePlatform,
  type Language,
  scriptLengthNames,
  ServiceError,
  type SubtitleRules,
  usualRules,
} from "@reelscript/contract";
import { orThrow, noSuchScript } from "../../rules/refusals.ts";
import { type Handlers, Written } from "../../run/handler.ts";
import type { Files, Scripts, DeletedScripts, RecognizerVersion, LongWork, Clock, Translations } from "../../ports.ts";
import { translationOfScript } from "../../describe/describe-translation.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";

interface ScriptNeeds {
  readonly scripts: Scripts;
  readonly files: Pick<Files, "keptOf">;
  readonly deletedScripts: DeletedScripts;
  readonly translations: Pick<Translations, "find">;
  readonly recognizer: RecognizerVersion;
  /** The languages that the running model translates. */
  readonly translatedLanguages: readonly Language[];
  readonly longWork: LongWork;
  readonly clock: Clock;
}

interface SubtitleRule {
  readonly maxLineLength: number;
  readonly maxLines: number;
  readonly maxWords?: number | undefined;
  readonly minSeconds?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

/** Milliseconds that a cue of a few words is shown at least. */
const shortestOfFewWords = 200;

const subtitleRules = ({ maxLineLength, maxLines, maxWords, minSeconds, maxSeconds }: SubtitleRule): SubtitleRules => ({
  lineLength: maxLineLength,
  lines: maxLines,
  words: maxWords ?? usualRules.words,
  shortest:
    minSeconds === undefined
      ? maxWords === undefined
        ? usualRules.shortest
        : shortestOfFewWords
      : Math.round(minSeconds * 1_000),
  longest: maxSeconds === undefined ? usualRules.longest : Math.round(maxSeconds * 1_000),
});

export function scriptHandlers(needs: ScriptNeeds) {
  const { scripts, files, translations, deletedScripts, recognizer, longWork, clock } = needs;
  const translationOf = async (accountId: string, id: string) => {
    const translated = await translations.find(accountId, id, recognizer.revision);
    return translated === undefined ? {} : translationOfScript(translated, needs);
  };
  return {
    getScript: async ({ input: { id, words }, caller, form }) => {
      const script = orThrow(await scripts.findUnread(caller.account.id, id, { words }), noSuchScript);
      const { model, revision } = recognizer;
      const { platform, mediaId } = script.transcript.reel;
      const keptFile = platform === filePlatform ? await files.keptOf(caller.account.id, mediaId) : undefined;
      const translated = await translationOf(caller.account.id, id);
      const given = { script, recognizer: { model, revision }, keptFile, translated, form };
      return new Written(await longWork("writeScript", given, caller.account.id));
    },

    getScriptText: async ({ input: { id, text }, caller }) => {
      const { transcript } = orThrow(await scripts.findUnread(caller.account.id, id), noSuchScript);
      const { translation } = text === "translation" ? await translationOf(caller.account.id, id) : {};
      return { text: bareTextOf({ transcript: transcript.text, translation }, text) };
    },

    getScriptSubtitles: async ({ input: { id, format, text, ...rule }, caller }) => {
      const script = orThrow(await scripts.findUnread(caller.account.id, id, { words: true }), noSuchScript);
      const translated = text === "translation" ? await translationOf(caller.account.id, id) : {};
      const given = { script, format, text, translated, rules: subtitleRules(rule) };
      return longWork("makeSubtitles", given, caller.account.id);
    },

    deleteScript: async ({ input: { id }, caller }) => {
      if ((await deletedScripts.delete(caller.account.id, [id], clock.now())).length > 0) return { id };
      throw noSuchScript();
    },

    deleteScripts: async ({ input: { ids }, caller }) => ({
      ids: await deletedScripts.delete(caller.account.id, ids, clock.now()),
    }),

    restoreScripts: async ({ input: { ids }, caller }) => {
      const restored = await deletedScripts.restore(caller.account.id, ids);
      if (restored.length > 0) return { ids: restored };
      throw new ServiceError(
        "notFound",
        "None of these scripts can be restored. List deleted scripts to see which can.",
      );
    },

    eraseScripts: async ({ input: { ids }, caller }) => ({ ids: await deletedScripts.erase(caller.account.id, ids) }),

    listScriptAccounts: async ({ caller }) => {
      const { handles, total } = await scripts.handles(caller.account.id);
      return { accounts: handles, total };
    },

    countScriptKinds: async ({ caller }) => {
      const kinds = (await scripts.kinds(caller.account.id)) ?? [];
      const count = (isOfKind: (kind: (typeof kinds)[number]) => boolean): number =>
        kinds.filter(isOfKind).reduce((sum, kind) => sum + kind.scripts, 0);
      const mostFirst = (name: "platform" | "language") =>
        [...new Set(kinds.map((kind) => kind[name]))]
          .map((value) => ({ value, scripts: count((kind) => kind[name] === value) }))
          .toSorted((one, other) => other.scripts - one.scripts || (one.value < other.value ? -1 : 1));
      return {
        platforms: mostFirst("platform").map(({ value, ...counted }) => ({ platform: value, ...counted })),
        languages: mostFirst("language").map(({ value, ...counted }) => ({ language: value, ...counted })),
        lengths: scriptLengthNames
          .map((length) => ({ length, scripts: count((kind) => kind.length === length) }))
          .filter(({ scripts: counted }) => counted > 0),
      };
    },

    listScriptReels: async ({ input: { cursor, limit }, caller }) => {
      const scope = ["script-reels", caller.account.id];
      const after = readCursor(scope, cursor)?.number ?? 0;
      const { position, ...page } = await scripts.listReels(caller.account.id, after, limit);
      return {
        ...page,
        cursor: writeCursor(scope, { sortedBy: null, number: position }),
      };
    },
  } satisfies Partial<Handlers>;
}
