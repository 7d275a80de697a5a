type Letters<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | Letters<Rest> : never;
type Letter = Letters<"abcdefghijklmnopqrstuvwxyz"> | Letters<"ABCDEFGHIJKLMNOPQRSTUVWXYZ">;

/** The letters that a text begins with; `never` when it begins with something else. */
type NameIn<Text, Name extends string = ""> = Text extends `${infer First}${infer Rest}`
  ? First extends Letter
    ? NameIn<Rest, `${Name}${First}`>
    : Exclude<Name, "">
  : Exclude<Name, "">;

/** The names of the parameters in a statement, which are written `:name`; a cast is written `::type`. */
export type ParametersIn<Text, Found extends string = never> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Cast}`
    ? ParametersIn<Cast, Found>
    : ParametersIn<Rest, Found | NameIn<Rest>>
  : Found;
