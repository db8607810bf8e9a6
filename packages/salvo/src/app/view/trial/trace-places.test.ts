import { expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import type { Assertion } from '../../../scenario/schema/assertion-schema.ts';
import { citedPlaces, quotesIn } from './cited-places.ts';
import { assertionPlaces, type TracePlace } from './trace-places.ts';

const call = (id: string, name: string, args: Record<string, unknown> = {}) => ({ id, name, arguments: args });
const ANSWER = 'I refunded 50 euros. Sorry, SORRY!';

/** The ids of the calls repeat, as those of some providers do. */
const trace = sampleTrace({
  messages: [
    { role: 'user', content: 'My kettle is broken.' },
    { role: 'assistant', content: 'Let me see.', tool_calls: [call('c1', 'look', { id: 1 }), call('c2', 'look')] },
    { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'paid 49.90', is_error: false },
    { role: 'tool_result', tool_call_id: 'c2', name: 'look', content: 'gone', is_error: true },
    { role: 'assistant', content: null, tool_calls: [call('c1', 'refund', { amount: 50 })] },
    { role: 'tool_result', tool_call_id: 'c1', name: 'refund', content: 'ok', is_error: false },
    { role: 'assistant', content: ANSWER, tool_calls: [] },
  ],
  tool_calls_made: [
    { ...call('c1', 'look', { id: 1 }), turn: 1, result: 'paid 49.90', is_error: false },
    { ...call('c2', 'look'), turn: 1, result: 'gone', is_error: true },
    { ...call('c1', 'refund', { amount: 50 }), turn: 2, result: 'ok', is_error: false },
  ],
  final_content: ANSWER,
});

const FIRST_LOOK = 'found call 1 in message 1';
const SECOND_LOOK = 'found call 2 in message 1';

it.each<[string, Record<string, unknown>, string[]]>([
  ['a demanded call', { type: 'tool_called', tool: 'look' }, [FIRST_LOOK, SECOND_LOOK]],
  ['with these arguments', { type: 'tool_called', tool: 'look', arguments: { id: 1 } }, [FIRST_LOOK]],
  [
    'calls with other arguments',
    { type: 'tool_called', tool: 'refund', arguments: { amount: 49.9 } },
    ['examined call 3 in message 4'],
  ],
  ['no call', { type: 'tool_called', tool: 'email' }, []],
  ['a forbidden call', { type: 'tool_not_called', tool: 'refund' }, ['forbidden call 3 in message 4']],
  [
    'the steps of a sequence',
    { type: 'tool_sequence', sequence: ['look', 'refund'], mode: 'in_order' },
    [FIRST_LOOK, 'found call 3 in message 4'],
  ],
  ['a text', { type: 'output_contains', value: ['euros', 'kettle'], case_sensitive: true }, ['found "euros"']],
  [
    'a text in any case',
    { type: 'output_not_contains', value: 'sorry', case_sensitive: false },
    ['forbidden "Sorry"', 'forbidden "SORRY"'],
  ],
  ['the answer that lacks it', { type: 'output_matches', pattern: 'dollars' }, ['examined message 6']],
  [
    'calls that are forbidden beside others',
    { type: 'tool_sequence', sequence: [{ tool: 'look', arguments: { id: 1 } }, 'refund'], mode: 'only' },
    ['forbidden call 2 in message 1'],
  ],
  [
    'the answer of a turn',
    { type: 'output_contains', value: 'euros', case_sensitive: true, turn: 1 },
    ['found "euros"'],
  ],
  ['all answers', { type: 'output_matches', pattern: 'euros', turn: 'every' }, ['found "euros"']],
  ['a turn that is not there', { type: 'output_matches', pattern: 'euros', turn: 2 }, []],
  ['a pattern', { type: 'output_not_matches', pattern: '[0-9]+' }, ['forbidden "50"']],
  [
    'a path to the answer',
    { type: 'jmespath', expression: 'response.content', operator: 'contains', value: '50' },
    ['found "50"'],
  ],
  [
    'a path to a call',
    { type: 'jmespath', expression: 'tool_calls[-1].arguments.amount', operator: 'eq', value: 49.9 },
    ['examined call 3 in message 4'],
  ],
  [
    'calls by name',
    { type: 'jmespath', expression: "tool_calls[?name=='refund'].result", operator: 'exists' },
    ['examined call 3 in message 4'],
  ],
  [
    'a path to a message',
    { type: 'jmespath', expression: 'turns[0].content', operator: 'exists' },
    ['examined message 0'],
  ],
  ['nothing in the trace', { type: 'cost_limit', max_usd: 1 }, []],
  ['nothing that is known', { type: 'of_a_plugin', value: 'euros' }, []],
])('an assertion is about %s', (_, fields, places) => {
  const assertion = { weight: 1, required: false, ...fields } as Assertion;
  expect(assertionPlaces(assertion, trace).map(shown)).toEqual(places);
});

it('finds what a judge quotes: in the answer first, without the marks around it', () => {
  const reasonings = [
    'It called refund with `"amount": 50`.',
    'It says "refunded 50 euros." and ‘sorry’, but the tool said `paid 49.90`.',
    'It never says "no".',
  ];
  expect(citedPlaces(reasonings, trace).map(shown)).toEqual([
    'cited call 3 in message 4',
    'cited "refunded 50 euros"',
    'cited "paid 49.90" of message 2',
    'cited "Sorry"',
  ]);
});

it('takes no apostrophe for a quotation mark, and a quote with an ellipsis for two', () => {
  expect(quotesIn("It doesn't say what the user's order was, nor 'sorry'.")).toEqual(['sorry']);
  expect(quotesIn('It wrote “I refunded … Sorry, SORRY”.')).toEqual(['I refunded', 'Sorry, SORRY']);
});

function shown(place: TracePlace): string {
  if (place.kind === 'call') return `${place.meaning} call ${place.number} in message ${place.message}`;
  if (place.kind === 'message') return `${place.meaning} message ${place.message}`;
  const text = trace.messages[place.message]?.content?.slice(place.start, place.end);
  return `${place.meaning} "${text}"${place.message === 6 ? '' : ` of message ${place.message}`}`;
}
