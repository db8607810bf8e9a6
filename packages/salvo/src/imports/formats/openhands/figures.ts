import { isRecord } from '../../../text/json/is-record.ts';
import { type Usage, usageSchema } from '../../../trace/forms/usage.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { knownUsage, usageOf } from '../session/session-usage.ts';

type Fields = Record<string, unknown>;

const TOKENS = {
  ...{ input: 'prompt_tokens', output: 'completion_tokens', read: 'cache_read_tokens', write: 'cache_write_tokens' },
};

/** What a conversation took. Events tell the sum until then, each response of the model its own. */
export class OpenHandsFigures {
  #total: Usage | null = null;
  #cost: number | null = null;
  readonly #responses = new Map<string, Usage | null>();
  model: string | null = null;
  error: string | null = null;
  finalContent: string | null = null;

  note(event: Fields): void {
    if (isRecord(event.llm_metrics)) this.whole(event.llm_metrics);
    if (event.kind !== 'ConversationStateUpdateEvent') return;
    const value = recordIn(event, 'value');
    const stats = event.key === 'stats' ? value : recordIn(value, 'stats');
    const each = Object.values(recordIn(stats, 'usage_to_metrics')).filter(isRecord);
    if (each.length === 0) return;
    this.#total = knownUsage(each.map(usageOfMetrics)) ?? this.#total;
    const costs = each.flatMap((metrics) => amountOf(metrics.accumulated_cost) ?? []);
    if (costs.length > 0) this.#cost = costs.reduce((sum, cost) => sum + cost, 0);
  }

  /** The figures of the whole conversation until now. */
  whole(metrics: Fields): void {
    this.#total = usageOfMetrics(metrics) ?? this.#total;
    this.#cost = amountOf(metrics.accumulated_cost) ?? this.#cost;
    this.model = textOf(metrics, 'model_name') ?? this.model;
  }

  /** The tokens of a response, which all of its calls repeat. */
  response(id: string, usage: unknown): Usage | null {
    const known = this.#responses.get(id);
    if (known !== undefined) return known;
    const read = usageSchema.safeParse(usage).data ?? null;
    this.#responses.set(id, read);
    return read;
  }

  get usage(): Usage | null {
    return this.#total ?? knownUsage(this.#responses.values());
  }

  get cost(): number | null {
    return this.#cost;
  }
}

function usageOfMetrics(metrics: Fields): Usage | null {
  const each = listIn(metrics, 'token_usages').filter(isRecord);
  return (
    usageOf(recordIn(metrics, 'accumulated_token_usage'), TOKENS) ??
    knownUsage(each.map((usage) => usageOf(usage, TOKENS)))
  );
}
