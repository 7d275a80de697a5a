import type { Operation } from "@reelscript/contract";
import type { Json } from "../../run/schemas.ts";

/** Headers that a response may have in addition to the common ones. Most are HTTP's own, so that a type says enough. */
const typeOfHeader = {
  "retry-after": "integer",
  etag: "string",
  "cache-control": "string",
  location: "string",
  "preference-applied": "string",
  "idempotent-replayed": "string",
  "content-disposition": "string",
  "www-authenticate": "string",
  "reading-speed": "string",
} as const;
export type HeaderName = keyof typeof typeOfHeader;

const cacheHeaderNames = ["etag", "cache-control"] as const;

/** Headers of an answer by name. A reference to a shared one would be longer. */
export const answerHeaders = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { schema: { type: typeOfHeader[name] } }]));

/** The headers of an answer, left out where it has none worth a word. */
export const withHeaders = (headers: Json): Json => (Object.keys(headers).length > 0 ? { headers } : {});

interface AnswerSchemas {
  readonly output: Json;
  /** Output of the operation that follows the work. */
  readonly accepted: Json | undefined;
  /** Error responses by status. */
  readonly errors: Json;
  readonly example: unknown;
  readonly acceptedExample: unknown;
}

/** The answers of an operation by their status. */
export const describeAnswers = (operation: Operation, schemas: AnswerSchemas): Json => ({
  "200": describeSuccess(operation, schemas.output, schemas.example),
  ...(operation.http.followed && {
    "202": {
      description: "The work continues; follow it at `location`.",
      headers: answerHeaders("location", "retry-after"),
      content: { "application/json": { schema: schemas.output, example: schemas.example } },
    },
  }),
  ...(schemas.accepted && { "202": describeAccepted(schemas.accepted, schemas.acceptedExample) }),
  ...(operation.http.events && { "204": { description: "The stream has ended; don't connect again." } }),
  ...(operation.http.cacheSeconds !== undefined && {
    "304": {
      description: "The caller already has the current answer.",
      headers: answerHeaders(...cacheHeaderNames),
    },
  }),
  ...schemas.errors,
});

const replayed = ({ http }: Operation): readonly HeaderName[] => (http.idempotent ? ["idempotent-replayed"] : []);

function describeSuccess(operation: Operation, output: Json, example: unknown): Json {
  const { bare, cacheSeconds, entityTag, events, formats, text } = operation.http;
  const forms = formats?.isUntyped ? [] : Object.values(formats?.forms ?? {});
  const asText = { schema: { type: "string" } };
  return {
    description: "OK",
    ...withHeaders(
      answerHeaders(
        ...(cacheSeconds === undefined ? [] : cacheHeaderNames),
        ...(entityTag === undefined ? [] : (["etag"] as const)),
        ...(operation.isFollowing ? (["retry-after"] as const) : []),
        ...(formats === undefined ? [] : (["content-disposition"] as const)),
        ...(bare?.numbers ? [bare.numbers.header] : []),
        ...replayed(operation),
      ),
    ),
    content: bare
      ? describeBare(bare, example)
      : {
          "application/json": { schema: output, example },
          ...(text && { [text.type]: asText }),
          ...Object.fromEntries(forms.map(({ type }) => [type, asText])),
          ...(events && { "text/event-stream": asText }),
        },
  };
}

const describeBare = ({ field, types }: NonNullable<Operation["http"]["bare"]>, example: unknown): Json =>
  Object.fromEntries(
    Object.values(types).map((type, index) => [
      type,
      { schema: { type: "string" }, ...(index === 0 && { example: (example as Json)[field] }) },
    ]),
  );

/** Written once, because it is the same for every operation. */
const describeAccepted = (output: Json, example: unknown): Json => ({
  description: "The work continues; follow it at `location`.",
  headers: answerHeaders("location", "retry-after", "preference-applied"),
  content: { "application/json": { schema: output, example } },
});
