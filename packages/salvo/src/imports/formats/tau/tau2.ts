import { isRecord } from '../../../text/json/is-record.ts';
import { Conversation } from '../../../trace/forms/conversation.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import { milliseconds } from '../../../trace/forms/recorded/recorded-step.ts';
import { sumUsage, type Usage, usageSchema } from '../../../trace/forms/usage.ts';
import type { GivenOutcome, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { importedConversation, importedTrace } from '../../imported-trace.ts';
import { PLAIN_NAMES, plainFacts } from '../plain-facts.ts';
import { eachConversation, eachObject, placeAt, readEachMessage } from '../read-each.ts';
import { amountOf, fieldsWithout, isoTimeOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { tauReward } from './tau-bench.ts';
import { readTau2Message, type UserToolCall } from './tau2-message.ts';

type Fields = Record<string, unknown>;

/** The results of tau2-bench: a document with its simulations, or simulations as records, also with fewer fields. */
export const tau2Format: ImportFormat = {
  name: 'tau2',
  title: 'tau2-bench results',
  unit: 'record',
  lists: ['simulations'],
  recognises: (value) => isRecord(value) && (isResults(value) || isSimulation(value)),
  *read(records) {
    for (const { value, line } of eachObject(records, 'is not an object with simulations')) {
      if (!Array.isArray(value.simulations)) yield readSimulation(value, { line, place: '', info: {} });
      else if (value.simulations.length === 0 && listIn(value, 'simulation_index').length > 0) {
        throw new FormError(
          'simulations:',
          'is only an index: import the files in the folder "simulations" that is beside this file',
        );
      } else {
        const info = recordIn(value, 'info');
        yield* eachConversation(value.simulations, 'simulations', (simulation, place) =>
          readSimulation(simulation, { line, place, info }),
        );
      }
    }
  },
};

function isResults({ simulations, info }: Fields): boolean {
  return Array.isArray(simulations) && isRecord(info) && ('agent_info' in info || 'environment_info' in info);
}

function isSimulation(value: Fields): boolean {
  if ('task_id' in value && 'termination_reason' in value && ('messages' in value || 'ticks' in value)) return true;
  return listIn(value, 'messages').some((message) => isRecord(message) && 'role' in message && 'turn_idx' in message);
}

interface Document {
  line: number;
  place: string;
  /** What the document says about all simulations. */
  info: Fields;
}

const LEFT_OUT: ReadonlySet<string> = new Set(['messages', 'ticks', 'effect_timeline']);
const KNOWN: ReadonlySet<string> = new Set([
  ...[...LEFT_OUT, ...PLAIN_NAMES],
  ...['id', 'task_id', 'trial', 'seed', 'mode', 'timestamp', 'start_time', 'end_time', 'duration'],
  ...['termination_reason', 'agent_cost', 'user_cost', 'reward_info', 'policy', 'info'],
]);
/** The benchmark leaves these out of its rates: they say nothing about the agent. */
const NOT_EVALUATED: ReadonlySet<unknown> = new Set(['infrastructure_error', 'context_window_exceeded']);

function readSimulation(simulation: unknown, { line, place, info }: Document): ImportedConversation {
  if (!isRecord(simulation)) throw new FormError(`${place || 'it'}:`, 'expected a simulation, which is an object');
  if (!Array.isArray(simulation.messages)) {
    const why = Array.isArray(simulation.ticks)
      ? 'has only the ticks of a spoken conversation, which Salvo does not read'
      : 'has no list of messages';
    throw new FormError(place || 'it', why);
  }
  const messages = simulation.messages.flatMap(withoutBundles);
  const at = placeAt(line, place === '' ? '' : `${place}.`);
  const conversation = new Conversation('call');
  const userCalls: UserToolCall[] = [];
  const read = readTau2Message(userCalls);
  readEachMessage(messages, conversation, { at, name: 'messages', read });
  const { timestamp, ...facts } = plainFacts(simulation, line, at.losses);
  const reason = textOf(simulation, 'termination_reason');
  const isEvaluated = !NOT_EVALUATED.has(reason);
  const trace = importedTrace(conversation, {
    model: textOf(recordIn(info, 'agent_info'), 'llm'),
    usage: agentUsage(messages),
    cost_usd: amountOf(simulation.agent_cost),
    latency_seconds: agentSeconds(messages),
    timestamp: isoTimeOf(simulation.start_time) ?? timestamp,
    finish_reason: reason,
    error: isEvaluated ? null : `the simulation ended with ${reason}`,
  });
  return importedConversation({
    line,
    ...facts,
    trace: { ...trace, max_turns_hit: reason === 'max_steps' },
    suite: textOf(recordIn(info, 'environment_info'), 'domain_name') ?? facts.suite,
    given: isEvaluated ? (givenOf(simulation.reward_info) ?? facts.given) : null,
    fields: fieldsWithout(simulation, LEFT_OUT),
    aside: { ...fieldsWithout(simulation, KNOWN), ...(userCalls.length > 0 ? { user_tool_calls: userCalls } : {}) },
    losses: at.losses,
  });
}

/** The results of several calls may be in one message. */
function withoutBundles(message: unknown): unknown[] {
  return isRecord(message) && Array.isArray(message.tool_messages) ? message.tool_messages : [message];
}

/** The checks of a simulation, by the field that says whether a check was met. */
const CHECKS = [
  ['action_checks', 'action_match'],
  ['communicate_checks', 'met'],
  ['env_assertions', 'met'],
  ['nl_assertions', 'met'],
] as const;

function givenOf(info: unknown): GivenOutcome | null {
  if (!isRecord(info)) return null;
  const reward = tauReward(info.reward);
  const breakdown = Object.entries(recordIn(info, 'reward_breakdown')).flatMap(([name, value]) => {
    const score = tauReward(value);
    return score === null ? [] : [[name, score] as const];
  });
  const { db_match } = recordIn(info, 'db_check');
  const shares = CHECKS.flatMap(([name, field]) => {
    const checks = listIn(info, name).filter(isRecord);
    const met = checks.filter((check) => check[field] === true).length;
    return checks.length === 0 ? [] : [[name, met / checks.length] as const];
  });
  const scores = Object.fromEntries([
    ...breakdown,
    ...(typeof db_match === 'boolean' ? [['db_match', db_match] as const] : []),
    ...shares,
  ]);
  return reward === null && Object.keys(scores).length === 0 ? null : { passed: null, reward, scores };
}

/** The tokens of the agent. Its greeting, which comes before the user said anything, was not written by a model. */
function agentUsage(messages: readonly unknown[]): Usage | null {
  const firstOfUser = messages.findIndex((message) => isRecord(message) && message.role === 'user');
  const usages = messages.flatMap((message, index) => {
    if (!isRecord(message) || message.role !== 'assistant') return [];
    const usage = usageSchema.safeParse(message.usage).data ?? null;
    return usage === null && index < firstOfUser ? [] : [usage];
  });
  return sumUsage(usages);
}

/** How long the agent and its tools took; null if a message has no time. What the user took is not counted. */
function agentSeconds(messages: readonly unknown[]): number | null {
  let before: number | null = null;
  let total = 0;
  for (const message of messages) {
    const time = isRecord(message) ? milliseconds(message.timestamp) : null;
    if (!isRecord(message) || time === null) return null;
    const isOfAgent = message.role !== 'user' && message.requestor !== 'user';
    if (before !== null && isOfAgent) total += Math.max(0, time - before);
    before = time;
  }
  return before === null ? null : total / 1000;
}
