const message = "declare each of these in a statement of its own: a list that is taken apart at once only saves a line";

/** True for `[a, b]` without a rest, and for a list without a spread. */
const isFixed = (/** @type {any[]} */ elements) =>
  elements.every((element) => element?.type !== "RestElement" && element?.type !== "SpreadElement");

/** Refuses `const [a, b] = [1, 2];`. Assignments that swap values are allowed. */
export const separateStatements = {
  meta: { type: "problem" },
  create: (/** @type {any} */ context) => ({
    VariableDeclarator(/** @type {any} */ node) {
      const { id, init } = node;
      if (id.type !== "ArrayPattern" || init?.type !== "ArrayExpression") return;
      if (isFixed(id.elements) && isFixed(init.elements)) context.report({ node, message });
    },
  }),
};
