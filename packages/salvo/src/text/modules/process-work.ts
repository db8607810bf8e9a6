/** What must be done before this process ends, also if code of the user ends it by an error that nobody catches. */
export const exitWork = new Set<() => Promise<unknown>>();
