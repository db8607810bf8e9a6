import { createHash } from 'node:crypto';
import { isRecord } from '../../../text/json/is-record.ts';
import { Conversation } from '../../../trace/forms/conversation.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import type { GivenOutcome, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { importedConversation, importedTrace } from '../../imported-trace.ts';
import { eachConversation, eachObject, placeAt, readEachMessage } from '../read-each.ts';
import { amountOf, fieldsWithout, isoTimeOf, numberOf, recordIn, textOf } from '../record-fields.ts';
import { promptfooMessages } from './promptfoo-messages.ts';

type Fields = Record<string, unknown>;

/** What `promptfoo eval -o` writes: a document with its results, or a line for each result. */
export const promptfooFormat: ImportFormat = {
  name: 'promptfoo',
  title: 'promptfoo results',
  unit: 'record',
  lists: ['results.results', 'results'],
  recognises: (value) => isRecord(value) && (isResult(value) || resultsIn(value)?.some(isResult) === true),
  *read(records) {
    for (const { value, line } of eachObject(records, 'is not a result of promptfoo, which is an object')) {
      const results = resultsIn(value);
      if (!results) yield readResult(value, { line, place: '', timestamp: null });
      else {
        const name = Array.isArray(value.results) ? 'results' : 'results.results';
        const timestamp = isoTimeOf(recordIn(value, 'results').timestamp ?? value.timestamp);
        yield* eachConversation(results, name, (result, place) => readResult(result, { line, place, timestamp }));
      }
    }
  },
};

/** The summary of an evaluation has its results, and the file has the summary. */
function resultsIn(value: Fields): readonly unknown[] | undefined {
  const { results } = value;
  if (Array.isArray(results)) return results;
  return isRecord(results) && Array.isArray(results.results) ? results.results : undefined;
}

function isResult(value: unknown): boolean {
  if (!isRecord(value) || typeof value.success !== 'boolean' || !isRecord(value.prompt)) return false;
  return typeof value.prompt.raw === 'string' && 'provider' in value && ('vars' in value || 'testIdx' in value);
}

interface Document {
  line: number;
  place: string;
  timestamp: string | null;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['id', 'testIdx', 'promptIdx', 'promptId', 'vars', 'prompt', 'provider', 'response', 'success', 'score', 'error'],
  ...['namedScores', 'latencyMs', 'cost', 'failureReason', 'testCase', 'description', 'tokenUsage', 'metadata'],
]);
const LEFT_OUT: ReadonlySet<string> = new Set(['response']);

function readResult(result: unknown, { line, place, timestamp }: Document): ImportedConversation {
  if (!isRecord(result)) throw new FormError(`${place || 'it'}:`, 'expected a result, which is an object');
  const at = placeAt(line, place === '' ? '' : `${place}.`);
  const response = recordIn(result, 'response');
  const conversation = new Conversation('call');
  readEachMessage(promptfooMessages(result), conversation, { at, name: 'messages' });
  const provider = providerOf(result.provider);
  const latency = amountOf(result.latencyMs);
  return importedConversation({
    line,
    id: textOf(result, 'id'),
    trace: importedTrace(conversation, {
      model: modelOf(provider),
      provider,
      usage: usageOf(response.tokenUsage) ?? usageOf(result.tokenUsage),
      cost_usd: amountOf(result.cost) ?? amountOf(response.cost),
      latency_seconds: latency === null ? null : latency / 1000,
      timestamp,
      finish_reason: textOf(response, 'finishReason'),
      // An error that is not of the provider is the reason why an assertion failed.
      error: couldRun(result) ? null : (textOf(result, 'error') ?? textOf(response, 'error') ?? 'the provider failed'),
    }),
    suite: suiteOf(result, provider),
    case: caseOf(result),
    given: couldRun(result) ? givenOf(result) : null,
    fields: fieldsWithout(result, LEFT_OUT),
    aside: fieldsWithout(result, KNOWN),
    losses: at.losses,
  });
}

const FAILED_TO_RUN = 2;

/** Whether the provider answered. Early versions only have an error, and no output beside it. */
function couldRun(result: Fields): boolean {
  if (typeof result.failureReason === 'number') return result.failureReason !== FAILED_TO_RUN;
  const response = recordIn(result, 'response');
  return textOf(result, 'error') === null || (response.output !== undefined && response.output !== null);
}

function givenOf(result: Fields): GivenOutcome {
  const named = Object.entries(recordIn(result, 'namedScores')).flatMap(([name, value]) => {
    const score = numberOf(value);
    return score === null ? [] : [[name, score] as const];
  });
  const score = numberOf(result.score);
  const scores = Object.fromEntries([...(score === null ? [] : [['score', score] as const]), ...named]);
  return { passed: typeof result.success === 'boolean' ? result.success : null, reward: null, scores };
}

/** What was read from promptfoo's own cache has only a total, which says nothing about input and output. */
function usageOf(given: unknown): Usage | null {
  if (!isRecord(given)) return null;
  const input = amountOf(given.prompt);
  const output = amountOf(given.completion);
  return input === null || output === null ? null : { input_tokens: input, output_tokens: output };
}

function providerOf(provider: unknown): string | null {
  if (typeof provider === 'string' && provider !== '') return provider;
  return isRecord(provider) ? (textOf(provider, 'label') ?? textOf(provider, 'id')) : null;
}

/** The id of a provider ends with its model: "openai:chat:gpt-4o". */
function modelOf(provider: string | null): string | null {
  return provider?.slice(provider.lastIndexOf(':') + 1) || provider;
}

/** The same tests run with several prompts and providers, which are compared with each other. */
function suiteOf({ prompt }: Fields, provider: string | null): string | null {
  const label = isRecord(prompt)
    ? (textOf(prompt, 'label') ?? textOf(prompt, 'display') ?? textOf(prompt, 'raw'))
    : null;
  const parts = [provider, label].filter((part) => part !== null);
  return parts.length === 0 ? null : short(parts.join(': '));
}

/** Variables that promptfoo adds itself: they differ between trials of one test. */
const ADDED_VARS: ReadonlySet<string> = new Set(['_conversation', 'sessionId']);

/** A test is what its description and its variables say: each repetition of it has a `testIdx` of its own. */
function caseOf(result: Fields): string | null {
  const test = recordIn(result, 'testCase');
  const vars = Object.entries(fieldsWithout(isRecord(test.vars) ? test.vars : recordIn(result, 'vars'), ADDED_VARS));
  const description = textOf(test, 'description') ?? textOf(result, 'description');
  const values = vars.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  if (values.length > 0) {
    const joined = values.join(', ');
    return short(description === null ? joined : `${description} (${joined})`);
  }
  return description ?? textOf(result, 'testIdx');
}

const LONGEST = 120;

/** A long text as its beginning, and what tells it apart from others with the same beginning. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST) return line;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${line.slice(0, LONGEST).toWellFormed()}... ${digest}`;
}
