import { z } from 'zod';
import { toolCallSchema } from '../../trace/message.ts';

export const CASSETTE_VERSION = 1;

/** Which trial a call belongs to. */
export interface TrialOfCall {
  scenario: string;
  /** Null in a scenario without data. */
  case: string | null;
  /** The adapter and the model of the agent. Several of them can run the same scenario. */
  adapter: string;
  model: string;
  trial: number;
}

/** Who made the call: the agent, or a judge or a simulated user with its own adapter and model. */
export interface CallerOfCall {
  by: 'agent' | 'judge' | 'user';
  adapter: string;
  model: string;
  /** Of a judge. */
  vote?: number | undefined;
}

/** What a model was asked, without secrets. Messages and tools are stored once for all requests that have them. */
export interface CassetteRequest {
  settings: Record<string, unknown>;
  messages: unknown[];
  tools: unknown[];
}

const text = z.string();
const tokens = z.number().nonnegative();

/** What came back. Of `AdapterTurnResult`, without the provider's own response. */
const answerSchema = z.strictObject({
  content: z.string().nullable(),
  tool_calls: z.array(toolCallSchema),
  usage: z
    .object({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_read_tokens: tokens.optional(),
      cache_write_tokens: tokens.optional(),
    })
    .nullable(),
  finish_reason: text,
  reasoning: z.string().optional(),
  model: text.optional(),
  provider_state: z.unknown().optional(),
});

/** A provider's refusal that depends on nothing but the request. */
const refusalSchema = z.strictObject({
  kind: z.enum(['content_filter', 'context_length']),
  message: z.string(),
  status: z.int().optional(),
});

/** The first line of the file. */
export const headerSchema = z.strictObject({ kind: z.literal('cassette'), version: z.literal(CASSETTE_VERSION) });

/** A message or a tool, which calls name by its id: the beginning of its hash. */
const partSchema = z.strictObject({ kind: z.literal('part'), id: text, value: z.unknown() });

/** What a model answered to a request of an observed agent. Of a stream: all of it. */
const httpAnswerSchema = z.strictObject({
  status: z.int().min(200).max(599),
  content_type: z.string(),
  text: z.string(),
});

const trialFields = {
  scenario: text,
  case: z.string().nullable(),
  adapter: text,
  model: text,
  trial: z.int().nonnegative(),
};

/** A trial whose agent called no model. Without this line it would not be known that it was recorded. */
const trialSchema = z.strictObject({ kind: z.literal('trial'), ...trialFields });

/** What every call of a model has. */
const callFields = {
  ...trialFields,
  /** Without one of these two it is a call of the agent. */
  user: z.strictObject({ adapter: text, model: text }).optional(),
  judge: z.strictObject({ adapter: text, model: text, vote: z.int().positive() }).optional(),
  /** How often the same caller made the same request in this trial, from 1. */
  occurrence: z.int().positive(),
  request: z.strictObject({
    settings: z.record(z.string(), z.unknown()),
    messages: z.array(text),
    tools: z.array(text),
  }),
  latency_seconds: z.number().nonnegative(),
  /** Null when it was unknown. */
  cost_usd: z.number().nonnegative().nullable(),
};

/** One turn of a model that Salvo called itself. */
const turnSchema = z.strictObject({
  kind: z.literal('turn'),
  ...callFields,
  answer: answerSchema.optional(),
  refusal: refusalSchema.optional(),
});

/** One request of an observed agent to its model. */
const exchangeSchema = z.strictObject({ kind: z.literal('exchange'), ...callFields, http: httpAnswerSchema });

/** Every other line of the file. */
export const lineSchema = z.discriminatedUnion('kind', [partSchema, trialSchema, turnSchema, exchangeSchema]);

export type CallLine = z.infer<typeof turnSchema> | z.infer<typeof exchangeSchema>;

/** What is kept of an answer or a refusal: of a turn, or of an exchange. */
export const recordedAnswerSchema = turnSchema
  .pick({ answer: true, refusal: true, latency_seconds: true, cost_usd: true })
  .extend({ http: httpAnswerSchema.optional() });

export type RecordedAnswer = z.infer<typeof recordedAnswerSchema>;

export interface RecordedCall extends RecordedAnswer {
  caller: CallerOfCall;
  occurrence: number;
  request: CassetteRequest;
  /** Of the request. */
  key: string;
  /** Where it is in the file; missing if it was recorded by this process. */
  line?: number | undefined;
}

/** One string for each trial. The file is in the order of these. */
export function trialKeyOf({ scenario, case: name, adapter, model, trial }: TrialOfCall): string {
  return JSON.stringify([scenario, name, adapter, model, String(trial).padStart(7, '0')]);
}

export function callerKeyOf({ by, adapter, model, vote = 0 }: CallerOfCall): string {
  return JSON.stringify([by, String(vote).padStart(4, '0'), adapter, model]);
}
