import { keysIn, knownValue } from '../../scenario/from-trace/known-values.ts';
import type { ToolCallRecord } from '../../trace/trace.ts';
import { contentOf, movedCalls, withCalls } from '../edit-trace.ts';
import { type Operator, type Site, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { neededWrites } from './dropped-calls.ts';
import { dependenceOf, NO_CALLS_KNOWN, NO_WRITE } from './known-from.ts';
import { otherNumber, otherText } from './other-values.ts';

const AMOUNT_NAME = /amount|price|total|sum|cost|payment|quantity|qty|count|balance|refund/i;

function writesOr(subject: Subject, sitesOf: (index: number, call: ToolCallRecord) => Site[], reason: string) {
  if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
  const writes = neededWrites(subject);
  if (writes.length === 0) return skip(NO_WRITE);
  const sites = writes.flatMap((index) => {
    const call = subject.trace.tool_calls_made[index];
    return call ? sitesOf(index, call) : [];
  });
  return sitesOr(sites, reason);
}

function otherArgument(subject: Subject, index: number, [key, value]: [string, unknown], other: unknown): Site {
  const call = subject.trace.tool_calls_made[index];
  return {
    label: `${call?.name} ${key}`,
    note: `${call?.name} was called with ${key} ${JSON.stringify(other)} instead of ${JSON.stringify(value)}`,
    make: () => {
      const content = call && { ...contentOf(call), arguments: { ...call.arguments, [key]: other } };
      const trace = content ? withCalls(subject.trace, new Map([[index, content]])) : subject.trace;
      return { trace, changesCalls: true };
    },
  };
}

/** What the user, the instructions or a tool said before a call. */
function saidBefore({ trace, userTexts, systemTexts }: Subject, index: number): Set<string> {
  const results = trace.tool_calls_made.slice(0, index).map(({ result }) => result ?? '');
  return keysIn([...userTexts, ...systemTexts, ...results]);
}

export const CHANGED_CALLS: readonly Operator[] = [
  {
    name: 'other_id',
    must: 'fail',
    change: 'A call that changes something names another id.',
    why: 'The user or a tool said which id is meant, and the tool has `effect: write`: something else was changed. With a state document, the state has to differ.',
    sites: (subject) =>
      writesOr(
        subject,
        (index, call) => {
          const said = saidBefore(subject, index);
          return Object.entries(call.arguments).flatMap(([key, value]) => {
            const known = typeof value === 'string' ? knownValue(value) : null;
            if (typeof value !== 'string' || !known || known.text !== value) return [];
            if (known.kind === 'date' || !said.has(known.key)) return [];
            return [otherArgument(subject, index, [key, value], otherText(value, subject))];
          });
        },
        'no argument is an id that was said before',
      ),
  },
  {
    name: 'other_amount',
    must: 'fail',
    change: 'A call that changes something has another amount.',
    why: 'The number is named as an amount, or the user or a tool said it, and the tool has `effect: write`: the effect has the wrong size. With a state document, the state has to differ.',
    sites: (subject) =>
      writesOr(
        subject,
        (index, call) => {
          const said = saidBefore(subject, index);
          return Object.entries(call.arguments).flatMap(([key, value]) => {
            if (typeof value !== 'number' || !Number.isFinite(value)) return [];
            const known = knownValue(String(value));
            if (!AMOUNT_NAME.test(key) && !(known && said.has(known.key))) return [];
            return [otherArgument(subject, index, [key, value], Number(otherNumber(String(value), subject)))];
          });
        },
        'no argument is an amount',
      ),
  },
  {
    name: 'call_moved',
    must: 'fail',
    change: 'A call that changes something is made before the call that told its arguments.',
    why: 'An argument is a value that only the result of the other call says: made before it, the call rests on a guess. With a state document, the state has to differ.',
    sites: (subject) =>
      writesOr(
        subject,
        (index, call) => {
          const dependence = dependenceOf(subject, index);
          const target = subject.scenario.state === undefined ? dependence?.on : writeBefore(subject, index);
          const before = target === undefined ? undefined : subject.trace.tool_calls_made[target];
          if (target === undefined || !before) return [];
          return [
            {
              label: `${call.name} before ${before.name}`,
              note: `${call.name} was called before ${before.name}`,
              make: () => ({
                trace: withCalls(subject.trace, movedCalls(subject.trace, index, target)),
                changesCalls: true,
              }),
            },
          ];
        },
        'no such call has an argument that only one other call told',
      ),
  },
  {
    name: 'call_after_error',
    must: 'fail',
    change: 'The call that told the arguments of a change returned an error, and the change was made all the same.',
    why: 'An argument is a value that only the result of the other call says. After an error, the agent made it up. Not with a state document, whose tools cannot fail so.',
    sites(subject) {
      if (subject.scenario.state !== undefined) return skip('the tools of a state document do not fail so');
      return writesOr(
        subject,
        (index, call) => {
          const dependence = dependenceOf(subject, index);
          const finder = dependence && subject.trace.tool_calls_made[dependence.on];
          if (!dependence || !finder || finder.is_error) return [];
          const failed = { ...contentOf(finder), result: 'Error: the service is not available.', is_error: true };
          return [
            {
              label: `${call.name} after ${finder.name}`,
              note: `${finder.name} returned an error, and ${call.name} was called all the same`,
              make: () => ({
                trace: withCalls(subject.trace, new Map([[dependence.on, failed]])),
                changesCalls: true,
              }),
            },
          ];
        },
        'no such call has an argument that only one other call told',
      );
    },
  },
];

/** The nearest call before another that changes something, too. */
function writeBefore(subject: Subject, index: number): number | undefined {
  return subject.done('write').findLast((other) => other < index);
}
