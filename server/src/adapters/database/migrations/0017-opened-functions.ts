/** Every function and trigger has a file in `functions/`. */
export const openedFunctions = "";
