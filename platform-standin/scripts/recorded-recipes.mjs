import { englishRecipes } from "./english-recipes.mjs";
import { frenchRecipes } from "./french-recipes.mjs";
import { italianRecipes } from "./italian-recipes.mjs";
import { spanishRecipes } from "./spanish-recipes.mjs";

export const recordedRecipes = [...englishRecipes, ...spanishRecipes, ...frenchRecipes, ...italianRecipes];
