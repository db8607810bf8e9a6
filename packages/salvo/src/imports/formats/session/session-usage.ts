import { sumUsage, type Usage } from '../../../trace/forms/usage.ts';
import { amountOf } from '../record-fields.ts';

/** Tokens of which the input includes those of the cache. Null if input or output is missing. */
export function usageOf(given: Record<string, unknown>, names: UsageNames): Usage | null {
  const input = amountOf(given[names.input]);
  const output = amountOf(given[names.output]);
  if (input === null || output === null) return null;
  const read = names.read === undefined ? null : amountOf(given[names.read]);
  const write = names.write === undefined ? null : amountOf(given[names.write]);
  return {
    input_tokens: input,
    output_tokens: output,
    ...(read ? { cache_read_tokens: read } : {}),
    ...(write ? { cache_write_tokens: write } : {}),
  };
}

export interface UsageNames {
  input: string;
  output: string;
  read?: string;
  write?: string;
}

/** The sum of what is known; null if nothing is. */
export function knownUsage(usages: Iterable<Usage | null>): Usage | null {
  return sumUsage([...usages].filter((usage) => usage !== null));
}

/**
 * Figures that a program reports again and again, each time for all that it did since it began. Lower figures than before
 * are those of a program that was started anew.
 */
export class RunningTotal {
  #before: Usage | null = null;
  #now: Usage | null = null;

  report(usage: Usage | null): void {
    if (usage === null) return;
    const isNew =
      this.#now !== null &&
      (usage.input_tokens < this.#now.input_tokens || usage.output_tokens < this.#now.output_tokens);
    if (isNew) this.startAnew();
    this.#now = usage;
  }

  /** The figures that follow count from 0 again. */
  startAnew(): void {
    this.#before = knownUsage([this.#before, this.#now]);
    this.#now = null;
  }

  get usage(): Usage | null {
    return knownUsage([this.#before, this.#now]);
  }
}
