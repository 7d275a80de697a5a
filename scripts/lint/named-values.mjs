/** Methods of a `Statement` that take values. */
const methods = new Set(["run", "row", "rows", "onlyRow"]);

const message =
  "list the values of a statement by name: what is spread could bring a value that nobody wrote here, such as another id";

/**
 * The expressions that a value may come from: itself, or its variable's initializer.
 *
 * @param {any} node
 * @param {any} scope
 * @returns {any[]}
 */
function origins(node, scope) {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression" || node.type === "TSNonNullExpression")
    return origins(node.expression, scope);
  if (node.type === "ConditionalExpression")
    return [...origins(node.consequent, scope), ...origins(node.alternate, scope)];
  if (node.type === "LogicalExpression") return [...origins(node.left, scope), ...origins(node.right, scope)];
  if (node.type !== "Identifier") return [node];
  for (let place = scope; place !== null; place = place.upper) {
    const variable = place.set.get(node.name);
    if (variable === undefined) continue;
    return variable.defs.flatMap((/** @type {any} */ { node: { type, init, id } }) =>
      type === "VariableDeclarator" && id.type === "Identifier" && init ? origins(init, place) : [],
    );
  }
  return [];
}

/** True if a value comes from `Object.assign`, which spreads by another name. */
const isAssigned = (/** @type {any} */ { type, callee }) =>
  type === "CallExpression" &&
  callee.type === "MemberExpression" &&
  callee.object.name === "Object" &&
  callee.property.name === "assign";

/** The spreads in a statement's arguments. */
const spreadsIn = (/** @type {any[]} */ given, /** @type {any} */ scope) => [
  ...given.filter(({ type }) => type === "SpreadElement"),
  ...given
    .flatMap((argument) => origins(argument, scope))
    .flatMap((origin) =>
      origin.type === "ObjectExpression"
        ? origin.properties.filter((/** @type {any} */ { type }) => type === "SpreadElement")
        : isAssigned(origin)
          ? [origin]
          : [],
    ),
];

/** Refuses a spread in the values of a statement, also where they are declared before the call. */
export const namedValues = {
  meta: { type: "problem" },
  create: (/** @type {any} */ context) => ({
    CallExpression(/** @type {any} */ node) {
      const { callee, arguments: given } = node;
      if (callee.type !== "MemberExpression" || callee.computed || !methods.has(callee.property.name)) return;
      for (const spread of spreadsIn(given, context.sourceCode.getScope(node)))
        context.report({ node: spread, message });
    },
  }),
};
