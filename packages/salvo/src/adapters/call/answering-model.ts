/**
 * The model that the provider says it used, if that is another one than was asked for; otherwise undefined. A dated
 * version of a model is the same model: `gpt-4o-mini` is answered by `gpt-4o-mini-2024-07-18`.
 */
export function answeringModel(asked: string, answered: unknown): string | undefined {
  if (typeof answered !== 'string' || answered.trim() === '' || answered.length > LONGEST_NAME) return undefined;
  return stem(asked) === stem(answered) ? undefined : answered;
}

/** What is longer is no name. */
const LONGEST_NAME = 200;

/** `-2024-07-18`, `-20250514`, `-0613`, `-001`, `-latest`, `:latest`, `@20250514`, `-v1:0`. */
const VERSION = /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3,4}|latest)|:latest|-v\d+(?::\d+)?)$/;

/** A name without its maker or folder, its version, and the `-0` of aliases such as `claude-sonnet-4-0`. */
function stem(name: string): string {
  let rest = name.trim().toLowerCase().split('/').at(-1) ?? '';
  while (VERSION.test(rest)) rest = rest.replace(VERSION, '');
  return rest.replace(/-0$/, '');
}
