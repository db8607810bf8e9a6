/** What the adapter says. `salvo run --greeting` changes it. */
export const greeting = { word: 'Hello' };
