import { markup, type Markup } from "../../../markup/markup.ts";
import { publicDocument } from "../../public-pages/public-document.ts";
import { codeBlock, sampleLanguages } from "./code-samples.ts";
import {
  describeEvents,
  describeOperation,
  meaningOfReason,
  reasonsNamedBy,
  schemaFields,
  type Described,
} from "./describe-operation.ts";
import { resolvePart, type Answer, type DescribedDocument } from "./described-document.ts";
import { referenceStyle } from "./reference-style.ts";
import { richText } from "./rich-text.ts";

interface Section {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Described[];
}

/** The reference of the REST interface as one page, made of the OpenAPI document. Its script adds nothing that a reader needs. */
export function referencePage(document: DescribedDocument, isSignedIn: boolean, webhooksGuide: string): string {
  const sections = sectionsOf(document);
  const shownSchemas = new Set<string>();
  const described = sections.map(
    ({ name, description, operations }) =>
      markup`<section aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${name}</h2><p class="lead">${description}</p><ul class="within">${linksTo(operations)}</ul>${operations.map((operation) => describeOperation(document, operation, shownSchemas))}${name === "Webhooks" && describeEvents(document, codeIn(webhooksGuide), shownSchemas)}</section>`,
  );
  return publicDocument({
    title: "Reelscript API",
    description: "Every operation of the Reelscript API, with its fields, examples and errors.",
    style: referenceStyle,
    isSignedIn,
    body: markup`<script src="/docs/reference.js" defer></script><div class="wrap reference">${contents(sections)}<div class="text">${introduction(document)}${described}${parts(document, shownSchemas)}${reasons(document)}</div></div>`,
  });
}

/** The code of a text in Markdown by its language. */
const codeIn = (markdown: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ TypeScript: "ts", Python: "python" }).map(([language, name]) => [
      language,
      new RegExp(`\`\`\`${name}\\n(.*?)\\n\`\`\``, "s").exec(markdown)?.[1] ?? "",
    ]),
  );

const anchorOf = (name: string): string => name.toLowerCase().replaceAll(" ", "-");

function sectionsOf({ tags, paths }: DescribedDocument): Section[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Described => ({ method: method.toUpperCase(), path, operation })),
  );
  return tags
    .map((section) => ({
      ...section,
      operations: all.filter(({ operation }) => operation.tags.includes(section.name)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

const linksTo = (operations: readonly Described[]): Markup =>
  markup`${operations.map(({ operation }) => markup`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}`;

/** Phones show the sections alone; each has its own list. */
const contents = (sections: readonly Section[]): Markup =>
  markup`<nav class="contents" aria-label="Contents"><div class="search"><input id="search" type="search" placeholder="Find an operation" aria-label="Find an operation, a field or an error" autocomplete="off" spellcheck="false"><span id="found" class="meta" role="status"></span></div><ul><li><a href="#start">Start</a></li>${sections.map(
    ({ name, operations }) => markup`<li><a href="#${anchorOf(name)}">${name}</a><ul>${linksTo(operations)}</ul></li>`,
  )}<li><a href="#parts">Schemas</a></li><li><a href="#reasons">Error reasons</a></li></ul></nav>`;

function introduction({ info, servers: [{ url }] }: DescribedDocument): Markup {
  const setUp = {
    curl: `export REELSCRIPT_API_KEY='svc_sk_...'`,
    typescript: `import { createClient } from "@reelscript/client";\n\nconst client = createClient({\n  baseUrl: ${JSON.stringify(new URL(url).origin)},\n  apiKey: process.env.REELSCRIPT_API_KEY,\n});`,
    python: "import os\nimport requests",
  };
  const languages = Object.entries(sampleLanguages) as [keyof typeof sampleLanguages, string][];
  return markup`<section class="start" aria-labelledby="start"><h1 id="start">API reference</h1><div class="two"><div class="stack"><p class="lead">Give a reel’s link, get its words.</p><p>${richText(info.description)}</p><p>Version ${info.version}, at <code>${url}</code>. The same as <a href="/openapi.json">OpenAPI 3.1</a>, and <a href="/llms.txt">shorter for agents</a>. Agents connect over MCP at <code>${new URL(url).origin}/mcp</code> with the same key.</p></div><div class="ex"><fieldset><legend>Samples in</legend>${languages.map(
    ([language, name]) =>
      markup`<label><input type="radio" name="samples" id="in-${language}"${language === "curl" && markup` checked`}> ${name}</label>`,
  )}</fieldset>${languages.map(([language, name]) => codeBlock(`Set up ${name}`, setUp[language], `sample ${language}`))}</div></div></section>`;
}

/** Schemas that appear within responses but aren't responses themselves. */
function parts({ components: { schemas } }: DescribedDocument, shownSchemas: Set<string>): Markup {
  const bases = new Set(
    Object.values(schemas).flatMap(({ allOf = [] }) =>
      allOf.map(({ $ref = "" }) => $ref.slice($ref.lastIndexOf("/") + 1)),
    ),
  );
  const linked = new Set(
    Array.from(JSON.stringify(schemas).matchAll(/"[^"]*\/schemas\/(\w+)"/g), ([, name = ""]) => name),
  );
  const left = Object.keys(schemas).filter((name) => !shownSchemas.has(name) && (!bases.has(name) || linked.has(name)));
  return markup`<section aria-labelledby="parts"><h2 id="parts">Schemas</h2>${left.map((name) => markup`<section class="part"><h3>${name}</h3>${schemas[name]?.enum === undefined && schemas[name]?.description !== undefined && markup`<p>${richText(schemas[name].description)}</p>`}${schemaFields(name, schemas, shownSchemas)}</section>`)}</section>`;
}

function errorExample(responses: DescribedDocument["components"]["responses"]): Markup | undefined {
  const example = responses.Unauthorized?.content?.["application/json"]?.example;
  return example === undefined
    ? undefined
    : markup`<figure><figcaption class="meta">Every error looks like this one</figcaption>${codeBlock("Example of an error", JSON.stringify(example, undefined, 2))}</figure>`;
}

function reasons({ components: { responses }, paths }: DescribedDocument): Markup {
  const answers = [
    ...Object.values(responses),
    ...Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) =>
        Object.values(operation.responses).map((one) => resolvePart<Answer>(one, responses)),
      ),
    ),
  ];
  const names = [...new Set(answers.flatMap(reasonsNamedBy))];
  return markup`<section aria-labelledby="reasons"><h2 id="reasons">Error reasons</h2><p class="lead">The header <code>x-error-reason</code> has one of these where there is more to say than the code does.</p><div id="other"><p>${richText(responses.AnyError?.description ?? "")}</p></div>${errorExample(responses)}<table class="er"><thead><tr><th scope="col">Reason</th><th scope="col">What it means</th></tr></thead><tbody>${names.map((reason) => markup`<tr id="reason-${reason}"><td><code>${reason}</code></td><td>${meaningOfReason(reason)}</td></tr>`)}</tbody></table></section>`;
}
