export const dropScriptTokens = `
-- Since 0018 a search reads the rows of one library and no index of everybody's words, which every added script paid for.
drop index script_tokens;
`;
