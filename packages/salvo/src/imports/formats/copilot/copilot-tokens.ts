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

  /** The end of a session tells the tokens of each model since its beginning. */
  ended(data: Record<string, unknown>): void {
    const metrics = isRecord(data.modelMetrics) || Array.isArray(data.modelMetrics) ? data.modelMetrics : { all: data };
    for (const [model, told] of Object.entries(metrics)) {
      if (!isRecord(told)) continue;
      remembered(this.#models, model, () => new RunningTotal()).report(usageOf(recordIn(told, 'usage'), NAMES));
    }
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
    return knownUsage([...this.#models.values()].map(({ usage }) => usage)) ?? knownUsage(this.#calls);
  }

  /** Of all answers that tell it; null if none does. */
  get output(): number | null {
    const outputs = [...this.#outputs.values()];
    return outputs.length === 0 ? null : outputs.reduce((sum, tokens) => sum + tokens, 0);
  }
}
