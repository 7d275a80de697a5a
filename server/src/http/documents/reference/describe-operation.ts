import { errorReasons, operations, type ErrorReason, type Operation } from "@reelscript/contract";
import { markup, type Markup } from "../../../markup/markup.ts";
import { codeBlock, sampleLanguages, samplesOf, type SampleLanguage } from "./code-samples.ts";
import {
  resolvePart,
  nameOf,
  withInherited,
  type Answer,
  type Body,
  type DescribedDocument,
  type DescribedOperation,
  type Parameter,
  type Schema,
} from "./described-document.ts";
import { fieldList, fieldsOf, type Field } from "./field-list.ts";
import { paragraphs, richText } from "./rich-text.ts";

export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

const locations = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

/** Describes one operation: input, responses and errors, with code samples. `shownSchemas` gathers the schemas that are written out. */
export function describeOperation(
  document: DescribedDocument,
  described: Described,
  shownSchemas: Set<string>,
): Markup {
  const { method, path, operation } = described;
  const { components } = document;
  const { tools = [], access } = (operations as Readonly<Record<string, Operation>>)[operation.operationId] ?? {};
  const parameters = (operation.parameters ?? []).map((one) => resolvePart<Parameter>(one, components.parameters));
  const body = bodyOf(operation, components);
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, resolvePart<Answer>(answer, components.responses)] as const,
  );
  const id = operation.operationId;
  return markup`<article id="${id}"><h3><a href="#${id}">${operation.summary}</a></h3><p class="call"><span class="verb">${method}</span> <code>${new URL(document.servers[0].url).pathname}${path}</code></p><div class="two"><div class="stack">${paragraphs(operation.description)}<p class="meta">${access === "public" ? "Needs no key." : "Needs a key."}${tools.length > 0 && [" MCP: ", tools.map(({ name }, index) => [index > 0 && ", ", markup`<code>${name}</code>`]), "."]}</p>${locations.map(([location, title]) => fieldsIn(parameters, location, title))}${body !== undefined && Object.keys(body.schema.properties ?? {}).length > 0 && markup`<section><h4>Body</h4>${fieldList(fieldsOf(body.schema, "request"), "request")}</section>`}${answers.filter(([status]) => /^[23]/.test(status)).map(([status, answer]) => success(status, answer, components.schemas, shownSchemas))}${refusals(answers)}</div><div class="ex">${samples(document, described, parameters, body?.example)}${answers.map(([status, answer]) => exampleOf(status, answer))}</div></div></article>`;
}

const bodyOf = ({ requestBody }: DescribedOperation, { requestBodies }: DescribedDocument["components"]) =>
  requestBody && resolvePart<Body>(requestBody, requestBodies).content["application/json"];

/** The events sent to endpoints, and how to check their signature: `code` by its language. */
export function describeEvents(
  { webhooks, components }: DescribedDocument,
  code: Readonly<Record<string, string>>,
  shownSchemas: Set<string>,
): Markup {
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const { schema, example } = bodyOf(post, components) ?? { schema: {} };
    return markup`<h4><code>${name}</code></h4><p>${post.summary}.</p>${schema.$ref !== undefined && schemaFields(nameOf(schema.$ref), components.schemas, shownSchemas)}${example !== undefined && codeBlock(`Example of ${name}`, JSON.stringify(example, undefined, 2))}`;
  });
  const [first] = Object.values(webhooks);
  const headers = (first?.post.parameters ?? []).map((one) => resolvePart<Parameter>(one, components.parameters));
  return markup`<article id="events"><h3><a href="#events">What is sent</a></h3><div class="two"><div class="stack"><p>Each event is a POST to your endpoint. Answer 2xx within 5 seconds; anything else is retried for three days.</p>${fieldsIn(headers, "header", "Headers")}${events}</div><div class="ex">${Object.entries(code).map(([language, text]) => codeBlock(`Check a signature in ${language}`, text))}</div></div></article>`;
}

function fieldsIn(parameters: readonly Parameter[], location: Parameter["in"], title: string): Markup | undefined {
  const fields = parameters
    .filter((one) => one.in === location)
    .map(({ name, schema, description, required }): Field => ({
      name,
      schema,
      description,
      note: required ? "required" : undefined,
    }));
  return fields.length === 0 ? undefined : markup`<section><h4>${title}</h4>${fieldList(fields, "request")}</section>`;
}

/** The fields of an answer, the first time that its schema is the answer; later a link to there. */
function success(
  status: string,
  { content = {}, headers = {}, description }: Answer,
  schemas: Readonly<Record<string, Schema>>,
  shownSchemas: Set<string>,
): Markup {
  const types = Object.keys(content);
  const reference = content["application/json"]?.schema.$ref;
  const names = Object.keys(headers);
  return markup`<section><h4>Answer ${status}</h4>${status !== "200" && markup`<p>${richText(description)}</p>`}<p class="meta">${types.map((type, index) => [index > 0 && ", ", markup`<code>${type}</code>`])}${names.length > 0 && [". Headers: ", names.map((name, index) => [index > 0 && ", ", markup`<code>${name}</code>`])]}</p>${reference !== undefined && schemaFields(nameOf(reference), schemas, shownSchemas)}</section>`;
}

export function schemaFields(
  name: string,
  schemas: Readonly<Record<string, Schema>>,
  shownSchemas: Set<string>,
): Markup | undefined {
  if (shownSchemas.has(name)) return markup`<p>The fields of <a href="#${name}">${name}</a>.</p>`;
  shownSchemas.add(name);
  const schema = withInherited(schemas[name] ?? {}, schemas);
  const fields = schema.enum === undefined ? fieldsOf(schema, "answer") : [{ name, schema }];
  return markup`<div id="${name}">${fieldList(fields, "answer")}</div>`;
}

function refusals(answers: readonly (readonly [string, Answer])[]): Markup {
  const rows = answers.filter(([status]) => /^[45]/.test(status));
  return markup`<section><h4>Errors</h4><table class="er"><thead><tr><th scope="col">Status</th><th scope="col">What it means</th></tr></thead><tbody>${rows.map(([status, answer]) => markup`<tr><td>${status}</td><td>${richText(answer.description)}${reasonsOf(answer)}</td></tr>`)}</tbody></table><p class="meta">Also, as <a href="#other">any request</a>: 413, 415, 431, 500, 503.</p></section>`;
}

export const reasonsNamedBy = ({ headers }: Answer): readonly ErrorReason[] =>
  (headers?.["x-error-reason"]?.schema.enum ?? []) as readonly ErrorReason[];

function reasonsOf(answer: Answer): Markup | undefined {
  const reasons = reasonsNamedBy(answer);
  if (reasons.length === 0) return undefined;
  return markup`<div class="meta">Reasons: ${reasons.map((reason, index) => [index > 0 && ", ", markup`<a href="#reason-${reason}">${reason}</a>`])}</div>`;
}

/** The meaning of an error reason. */
export const meaningOfReason = (reason: string): string | undefined =>
  Object.values(errorReasons)
    .flatMap((reasons) => Object.entries<string>(reasons))
    .find(([name]) => name === reason)?.[1];

function samples(
  { servers: [{ url }] }: DescribedDocument,
  { method, path, operation: { operationId, security, summary } }: Described,
  parameters: readonly Parameter[],
  body: unknown,
): Markup {
  const needsKey = security === undefined || security.length > 0;
  const written = samplesOf({ operationId, method, server: url, path, needsKey, parameters, body });
  return markup`${(Object.keys(sampleLanguages) as SampleLanguage[]).map((language) =>
    codeBlock(`${summary} with ${sampleLanguages[language]}`, written[language], `sample ${language}`),
  )}`;
}

function exampleOf(status: string, { content = {} }: Answer): Markup | undefined {
  if (!status.startsWith("2")) return undefined;
  const [firstContent] = Object.entries(content);
  if (firstContent === undefined) return undefined;
  const [type, { example }] = firstContent;
  const text = typeof example === "string" ? example : JSON.stringify(example, undefined, 2);
  return markup`<figure><figcaption class="meta">${status}, <code>${type}</code></figcaption>${codeBlock(`Example of answer ${status}`, text)}</figure>`;
}
