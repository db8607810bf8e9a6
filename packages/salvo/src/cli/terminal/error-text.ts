import type { SalvoError } from '../../text/errors/salvo-error.ts';

/** Options whose flag has another name. */
const FLAGS: Readonly<Record<string, string>> = {
  k: '--votes',
  tags: '--tag',
  'workers.detach': '--detach',
  'workers.labels': '--labels',
  'workers.local': '--local-workers',
};

/**
 * The flag of the command line for an option of the library, such as `--max-drop` for `maxDrop`.
 * @internal Exported for its tests.
 */
export function flagOf(option: string): string {
  return FLAGS[option] ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** What an error says on the command line: it names flags where the library names options. */
export function errorText(error: SalvoError): string {
  return error.messageWith(flagOf);
}
