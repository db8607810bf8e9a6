import type { ErrorCode } from './error-codes.ts';

/** A place in a file a person can open. Line and column start at 1. */
export interface SourceLocation {
  file: string;
  line?: number;
  column?: number;
}

/** What an error says; anything else that was thrown, as text. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of an error of Node, such as ENOENT; undefined when it has none. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** More would be a circle. */
const MOST_CAUSES = 50;

/** An error with its causes, and with the errors of several attempts or addresses: the outer ones first. */
export function errorsWithin(thrown: unknown): Error[] {
  const found: Error[] = [];
  const queue = [thrown];
  for (let at = 0; at < queue.length && found.length < MOST_CAUSES; at += 1) {
    const error = queue[at];
    if (!(error instanceof Error)) continue;
    found.push(error);
    queue.push(error.cause, ...('errors' in error && Array.isArray(error.errors) ? error.errors : []));
  }
  return found;
}

const OPTION = /\{option:([\w.]+)\}/g;

/**
 * The base of every error whose message is meant for the user: what was wrong, where, and what to do about it.
 * The CLI prints the message alone and exits with 4 (see `outcome`); any other error is a bug in Salvo.
 * A message names an option as `{option:maxDrop}`: `message` has `maxDrop` in backticks, and the command line its flag.
 */
export class SalvoError extends Error {
  readonly code: ErrorCode;
  readonly location: SourceLocation | undefined;
  /** `unscored`: nothing was wrong with what was asked for, but it could not be finished. The CLI then exits with 3. */
  readonly outcome: 'wrong_input' | 'unscored';
  /** The message with its options as `{option:name}`. */
  readonly #text: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; location?: SourceLocation; outcome?: 'wrong_input' | 'unscored' } = {},
  ) {
    super(message.replace(OPTION, '`$1`'), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.#text = message;
    this.code = code;
    this.location = options.location;
    this.outcome = options.outcome ?? 'wrong_input';
  }

  /** The message with other names for options: the command line has flags. */
  messageWith(optionName: (option: string) => string): string {
    return this.#text.replace(OPTION, (_, option: string) => optionName(option));
  }
}
