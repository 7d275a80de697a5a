import type {
  CompetitorReport,
  FullScript,
  ReelCollection,
  TranscribeResult,
  Transcription,
  Usage,
} from "@reelscript/contract";
import type { RequestShape } from "@reelscript/contract/values";

type Nothing = Readonly<Record<string, never>>;

interface Token {
  readonly token: string;
  readonly account: { readonly email: string };
}

interface ScriptReels {
  readonly scripts: readonly { readonly id: string; readonly reelUrl: string }[];
  readonly cursor: string;
  readonly more: boolean;
  readonly total: number;
}

interface Requests {
  readonly connectExtension: [input: { readonly code: string; readonly verifier: string }, output: Token];
  readonly disconnectExtension: [input: Nothing, output: unknown];
  readonly transcribeReel: [input: { readonly url: string }, output: TranscribeResult | Transcription];
  readonly getTranscription: [input: { readonly id: string }, output: Transcription];
  readonly getScript: [input: { readonly id: string; readonly words?: boolean }, output: FullScript];
  readonly listScriptReels: [input: { readonly cursor?: string | undefined }, output: ScriptReels];
  readonly getUsage: [input: Nothing, output: Usage];
  readonly importReport: [input: ReelCollection, output: CompetitorReport];
}
export type RequestName = keyof Requests;
export type Input<Name extends RequestName> = Requests[Name][0];
export type Output<Name extends RequestName> = Requests[Name][1];

/**
 * How the operations that a token may ask for are requested. A test compares this with the contract, whose schemas are too
 * large to ship.
 */
export const requests: { readonly [Name in RequestName]: RequestShape } = {
  connectExtension: { method: "POST", path: "/extension/token" },
  disconnectExtension: { method: "DELETE", path: "/extension/token" },
  transcribeReel: { method: "POST", path: "/transcribe" },
  getTranscription: { method: "GET", path: "/transcriptions/{id}" },
  getScript: { method: "GET", path: "/scripts/{id}" },
  listScriptReels: { method: "GET", path: "/script-reels" },
  getUsage: { method: "GET", path: "/usage" },
  importReport: { method: "POST", path: "/competitor-reports", idempotent: true },
};
