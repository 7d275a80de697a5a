export const soundRecipes = [];
