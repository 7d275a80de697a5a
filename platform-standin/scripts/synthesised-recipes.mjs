export const synthesisedRecipes = [];
