/** Utility types that derive a type from a function. */
const derived = new Set(["ReturnType", "Parameters", "Awaited", "ConstructorParameters", "InstanceType"]);

const message =
  "write what this type promises as an interface: read off a function of ours, it changes whenever that function does, and nobody can look it up";

/** True for a module of this project: another file, a workspace, or a path that package.json imports. */
const isOurs = (/** @type {string} */ source) => /^(?:\.|#|@reelscript\/)/.test(source);

/** The children of a node that contain types, which excludes values and the bodies of functions. */
function typesIn(/** @type {any} */ node) {
  if (/Function/.test(node.type) && "params" in node) return [node.typeParameters, ...node.params, node.returnType];
  if (node.type === "VariableDeclarator") return [node.id, /Function/.test(node.init?.type) ? node.init : null];
  if (node.type === "PropertyDefinition") return [node.typeAnnotation];
  if (node.type === "AssignmentPattern") return [node.left];
  return Object.entries(node)
    .filter(([key]) => key !== "parent")
    .flatMap(([, value]) => value);
}

/** The first name in `typeof a.b`, `A["b"]` or `A.B`. */
function rootOf(/** @type {any} */ node) {
  for (let at = node; at;) {
    if (at.type === "Identifier") return at.name;
    at = at.exprName ?? at.objectType ?? at.typeName ?? at.left;
  }
  return undefined;
}

/** The type parameters in scope inside a node. */
const parametersOf = (/** @type {any} */ { typeParameters }, /** @type {ReadonlySet<string>} */ outer) =>
  typeParameters?.type === "TSTypeParameterDeclaration"
    ? new Set([...outer, ...typeParameters.params.map((/** @type {any} */ { name }) => name.name ?? name)])
    : outer;

/** Lists a module's declarations and its imports from this project by name. */
function namesOf(/** @type {any[]} */ statements) {
  /** @type {Map<string, any>} */
  const declared = new Map();
  const imported = new Set();
  for (const statement of statements) {
    const declaration = statement.declaration ?? statement;
    if (statement.type === "ImportDeclaration" && isOurs(statement.source.value))
      for (const { local } of statement.specifiers) imported.add(local.name);
    for (const { id } of declaration.declarations ?? [declaration]) if (id?.name) declared.set(id.name, declaration);
  }
  return { declared, imported };
}

/** The declarations that a module exports, directly or in a list. */
const exportedBy = (/** @type {any[]} */ statements, /** @type {Map<string, any>} */ declared) =>
  statements
    .filter(({ type, source }) => type === "ExportNamedDeclaration" && !source)
    .flatMap(({ declaration, specifiers }) =>
      declaration ? [declaration] : specifiers.map((/** @type {any} */ { local }) => declared.get(local.name)),
    )
    .filter(Boolean);

/** Refuses exports whose types are derived from this project's functions, even through a type that isn't exported. */
export const writtenTypes = {
  meta: { type: "problem" },
  create: (/** @type {any} */ context) => ({
    Program(/** @type {any} */ program) {
      const { declared, imported } = namesOf(program.body);
      const seen = new Set();
      const visit = (/** @type {any} */ node, /** @type {ReadonlySet<string>} */ outer = new Set()) => {
        if (!node?.type || seen.has(node)) return;
        seen.add(node);
        const parameters = parametersOf(node, outer);
        if (node.type === "TSTypeReference") {
          const name = rootOf(node.typeName);
          const [argument] = node.typeArguments?.params ?? [];
          const root = rootOf(argument);
          if (derived.has(name) && !parameters.has(root) && (declared.has(root) || imported.has(root))) {
            context.report({ node, message });
            return;
          }
          if (/^TS(?:TypeAlias|Interface)Declaration$/.test(declared.get(name)?.type)) visit(declared.get(name));
        }
        for (const child of typesIn(node)) visit(child, parameters);
      };
      for (const declaration of exportedBy(program.body, declared)) visit(declaration);
    },
  }),
};
