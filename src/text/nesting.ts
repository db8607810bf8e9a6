/** JSON.stringify could not write a value that is nested more deeply: it runs out of stack. */
export const MAX_NESTING = 200;

/** Whether a JSON value is nested too deeply. Goes level by level, because recursion could run out of stack. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
