import { knownValue } from '../../scenario/from-trace/known-values.ts';
import { contentOf, withCallAfter, withCalls, withoutCall } from '../edit-trace.ts';
import { type Operator, type Site, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { isAskedFor, isMadeByAll, isMadeTwice, NO_CALLS_KNOWN, NO_READ, NO_WRITE } from './known-from.ts';

const NOT_NEEDED = 'each of these calls is made twice, or another passing trace of the case did without';

/** Successful calls that change something, and that every passing trace of the case made. */
export function neededWrites(subject: Subject): number[] {
  const { tool_calls_made: calls } = subject.trace;
  return subject.done('write').filter((index) => {
    const call = calls[index];
    return call !== undefined && !isMadeTwice(calls, index) && isMadeByAll(subject, call);
  });
}

function writeSites(
  subject: Subject,
  siteOf: (index: number, name: string) => Site | null,
): ReturnType<Operator['sites']> {
  if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
  if (subject.done('write').length === 0) return skip(NO_WRITE);
  const needed = neededWrites(subject);
  const sites = needed.flatMap((index) => siteOf(index, subject.trace.tool_calls_made[index]?.name ?? '') ?? []);
  return sitesOr(sites, needed.length === 0 ? NOT_NEEDED : 'a second call of these tools may change nothing');
}

/** How the names of tools begin whose second call does something a second time. */
const ADDING =
  /^(?:send|pay|refund|charge|create|add|book|issue|order|buy|purchase|post|submit|place|insert|append|email|withdraw|deposit|credit|debit|invoice|reserve|mail|notify)(?=_|$)/;
const AMOUNT = /amount|quantity|qty|sum|total/i;

function addsSomething(name: string, args: Record<string, unknown>): boolean {
  const plain = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return ADDING.test(plain.split(/__|[.:/]/).at(-1) ?? plain) || Object.keys(args).some((key) => AMOUNT.test(key));
}

export const DROPPED_CALLS: readonly Operator[] = [
  {
    name: 'call_dropped',
    must: 'fail',
    change: 'A call that changes something is missing, and the answer stays.',
    why: 'Every passing trace of the case made the call, and its tool has `effect: write`: without it the change did not happen. With a state document, the state has to differ.',
    sites: (subject) =>
      writeSites(subject, (index, name) => ({
        label: name,
        note: `the call of ${name} is gone`,
        make: () => ({ trace: withoutCall(subject.trace, index), changesCalls: true }),
      })),
  },
  {
    name: 'call_repeated',
    must: 'fail',
    change: 'A call that changes something is made twice.',
    why: 'A second payment, message or order is a second effect. Applies to tools with `effect: write` whose name or arguments say that they add something, or whose second call changes the state document.',
    sites: (subject) =>
      writeSites(subject, (index, name) => {
        const call = subject.trace.tool_calls_made[index];
        const isKnown = subject.scenario.state !== undefined || (call && addsSomething(name, call.arguments));
        if (!call || !isKnown) return null;
        return {
          label: name,
          note: `${name} is called a second time with the same arguments`,
          make: () => ({ trace: withCallAfter(subject.trace, index, contentOf(call)), changesCalls: true }),
        };
      }),
  },
  {
    name: 'failed_call_ignored',
    must: 'fail',
    change: 'A call that changes something is answered with an error, and the answer stays.',
    why: 'The change did not happen, every passing trace of the case needed it, and the agent neither tried again nor said so.',
    sites: (subject) =>
      writeSites(subject, (index, name) => {
        const call = subject.trace.tool_calls_made[index];
        if (!call) return null;
        const failed = { ...contentOf(call), result: 'Error: the service is not available.', is_error: true };
        return {
          label: name,
          note: `${name} returned an error, and the answer is the same`,
          make: () => ({
            trace: withCalls(subject.trace, new Map([[index, failed]])),
            changesCalls: true,
            unplayed: call.id,
          }),
        };
      }),
  },
  {
    name: 'lookup_dropped',
    must: 'fail',
    change: 'A call that found what the answer says is missing.',
    why: 'The answer says something that only the result of this call said: without it, the agent made it up. Applies to tools with `effect: read`.',
    sites(subject) {
      if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
      const reads = subject.done('read');
      if (reads.length === 0) return skip(NO_READ);
      const isAsked = (text: string) => {
        const known = knownValue(text);
        return known !== null && isAskedFor(subject.trace.tool_calls_made, known.key);
      };
      const sites = reads.flatMap((index): Site[] => {
        const fact = subject
          .facts()
          .find(
            ({ text, kind, calls, isFromUser }) =>
              kind !== 'status' && !isFromUser && calls.length === 1 && calls[0] === index && !isAsked(text),
          );
        const call = subject.trace.tool_calls_made[index];
        if (!fact || !call || isMadeTwice(subject.trace.tool_calls_made, index) || !isMadeByAll(subject, call))
          return [];
        return [
          {
            label: call.name,
            note: `the call of ${call.name} is gone, and the answer still says ${fact.text}`,
            make: () => ({ trace: withoutCall(subject.trace, index), changesCalls: true }),
          },
        ];
      });
      return sitesOr(sites, 'the answer says nothing that only one of these calls found');
    },
  },
];
