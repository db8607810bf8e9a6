import { isRecord } from '../../../text/json/is-record.ts';
import { remembered } from '../../../text/memo.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import { recordIn } from '../record-fields.ts';
import { knownUsage, RunningTotal, type UsageNames, usageOf } from '../session/session-usage.ts';

const NAMES: UsageNames = {
  ...{ input: 'inputTokens', output: 'outputTokens', read: 'cacheReadTokens', write: 'cacheWriteTokens' },
};

/** The tokens of a session. What it says at its end counts; else what it says of each call of the model. */
export class CopilotTokens {
  readonly #models = new Map<string, RunningTotal>();
  readonly #calls: Usage[] = [];
  readonly #outputs = new Map<string, number>();
  /** What the answers said when the session ended before. */
  #outputBefore: number | null = null;

  /**
   * The end of a session tells the tokens of each model: since the session began, or, if it was continued, since then. Versions
   * differ. The output of the answers says which of both it is.
   */
  ended(data: Record<string, unknown>): void {
    const metrics = isRecord(data.modelMetrics) || Array.isArray(data.modelMetrics) ? data.modelMetrics : { all: data };
    const told = Object.entries(metrics).flatMap(([model, metric]) => {
      const usage = isRecord(metric) ? usageOf(recordIn(metric, 'usage'), NAMES) : null;
      return usage === null ? [] : [{ model, usage }];
    });
    if (told.length === 0) return;
    const isAnew = this.#isSinceLastEnd(told.reduce((sum, { usage }) => sum + usage.output_tokens, 0));
    for (const { model, usage } of told) {
      const total = remembered(this.#models, model, () => new RunningTotal());
      if (isAnew) total.startAnew();
      total.report(usage);
    }
    this.#outputBefore = this.output ?? 0;
  }

  #isSinceLastEnd(output: number): boolean {
    const all = this.output;
    if (this.#outputBefore === null || all === null) return false;
    return Math.abs(output - (all - this.#outputBefore)) < Math.abs(output - all);
  }

  called(data: Record<string, unknown>): Usage | null {
    const usage = usageOf(data, NAMES);
    if (usage !== null) this.#calls.push(usage);
    return usage;
  }

  /** The output of an answer, of which several events may tell. */
  answered(key: string, tokens: number | null): number | null {
    if (tokens === null) return this.#outputs.get(key) ?? null;
    const most = Math.max(tokens, this.#outputs.get(key) ?? 0);
    this.#outputs.set(key, most);
    return most;
  }

  get usage(): Usage | null {
    const told = knownUsage([...this.#models.values()].map(({ usage }) => usage));
    if (told === null) return knownUsage(this.#calls);
    // A session that was continued and has not ended again says only the output of its answers.
    const since = Math.max(0, (this.output ?? 0) - (this.#outputBefore ?? 0));
    return { ...told, output_tokens: told.output_tokens + since };
  }

  /** Of all answers that tell it; null if none does. */
  get output(): number | null {
    const outputs = [...this.#outputs.values()];
    return outputs.length === 0 ? null : outputs.reduce((sum, tokens) => sum + tokens, 0);
  }
}
