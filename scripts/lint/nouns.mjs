/** Participles and adjectives that don't say what they describe. */
const bare = new Set([
  "told",
  "known",
  "own",
  "asked",
  "sent",
  "waits",
  "made",
  "kept",
  "perhaps",
  "found",
  "shown",
  "heard",
  "wanted",
  "chosen",
  "placed",
  "settled",
  "picked",
  "named",
  "listed",
  "reached",
]);

const message = (/** @type {string} */ name) =>
  `"${name}" doesn't say what it holds: name the noun, as in "${name}Key" or "${name}Hosts", or take a word of the glossary in AGENTS.md`;

/** Refuses a variable, parameter, function, class or type whose whole name is a bare participle or adjective. */
export const nouns = {
  meta: { type: "problem" },
  create: (/** @type {any} */ context) => ({
    Program() {
      const variables = context.sourceCode.scopeManager.scopes.flatMap((/** @type {any} */ scope) => scope.variables);
      const refused = variables.filter((/** @type {any} */ { name }) => bare.has(name.toLowerCase()));
      // A class has its name in two scopes.
      for (const node of new Set(refused.flatMap((/** @type {any} */ { identifiers }) => identifiers)))
        context.report({ node, message: message(node.name) });
    },
  }),
};
