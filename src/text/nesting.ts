/** What is nested deeper could not be written down again: JSON.stringify runs out of stack. */
export const MAX_NESTING = 200;

/** Whether a JSON value is nested too deeply. Goes level by level: to recurse would be to trust the depth. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
