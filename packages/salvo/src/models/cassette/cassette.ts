import { contentHash } from '../../text/json/canonical-json.ts';
import { type CassetteContents, cassetteText, trialIn } from './cassette-contents.ts';
import {
  type CallerOfCall,
  type CassetteRequest,
  callerKeyOf,
  type RecordedAnswer,
  recordedAnswerSchema,
  type TrialOfCall,
  trialKeyOf,
} from './cassette-document.ts';
import { describeNearest, trialWords } from './nearest-request.ts';
import { readCassette } from './read-cassette.ts';
import { createCassetteWriter } from './write-cassette.ts';

/** A call of a model, wherever it is made. */
export interface CassetteCall {
  trial: TrialOfCall;
  caller: CallerOfCall;
  request: CassetteRequest;
}

/**
 * The calls of one run on one cassette. An answer belongs to its trial, to who asked, to the request, and to how often
 * that was made before: neither the order of trials nor how many run at once decides which answer is taken.
 */
export interface Cassette {
  mode: 'record' | 'replay';
  file: string;
  /** The numbers of the trials that were recorded of a case. */
  recordedTrials(of: Omit<TrialOfCall, 'trial'>): ReadonlySet<number>;
  /** The recorded answer; if there is none, a sentence about the nearest request, or null if nothing is like it. */
  answerOf(call: CassetteCall): RecordedAnswer | { nearest: string | null };
  /** Resolved when the answer is in the file, or could not be written. */
  keep(call: CassetteCall, answer: RecordedAnswer): Promise<void>;
  /** Keeps that there was a trial, also if its agent calls no model. */
  begin(trial: TrialOfCall): Promise<void>;
  /** An answer that cannot be kept, and why. */
  leaveOut(call: Pick<CassetteCall, 'trial' | 'caller'>, why: string): void;
  /** Removes trials that the run no longer has, if it recorded others of their case. Returns what went wrong. */
  finish(hasTrial: (of: TrialOfCall) => boolean): Promise<string[]>;
}

/** The calls of a run that are read from a file. */
export function replayCassette(file: string, contents: CassetteContents): Cassette {
  const answers = new Map<string, RecordedAnswer>();
  const trials = new Map<string, Set<number>>();
  for (const [key, { of, calls }] of contents) {
    const numbers = trials.get(caseKey(of)) ?? new Set();
    trials.set(caseKey(of), numbers.add(of.trial));
    for (const call of calls) answers.set(answerKey(key, call.caller, call.key, call.occurrence), call);
  }
  const countOf = createCounter();
  return {
    mode: 'replay',
    file,
    recordedTrials: (of) => trials.get(caseKey(of)) ?? new Set(),
    answerOf({ trial, caller, request }) {
      const key = contentHash(request);
      const occurrence = countOf(trialKeyOf(trial), callerKeyOf(caller), key);
      const found = answers.get(answerKey(trialKeyOf(trial), caller, key, occurrence));
      return found ?? { nearest: describeNearest(contents, { trial, caller, request, key }) };
    },
    keep: async () => {},
    begin: async () => {},
    leaveOut: () => {},
    finish: async () => [],
  };
}

/** The calls of a run that are written to a file. What the file has of other trials stays. */
export function recordCassette(file: string): Cassette {
  const writer = createCassetteWriter<CassetteContents>(file, {
    empty: () => new Map(),
    read: readCassette,
    text: cassetteText,
  });
  const countOf = createCounter();
  const unusable = new Set<string>();
  /** The trials that this run has recorded something of. */
  const begun = new Map<string, TrialOfCall>();
  const leaveOut: Cassette['leaveOut'] = ({ trial, caller }, why) => {
    unusable.add(`An answer of ${caller.adapter} is not on the cassette, because ${why}: ${trialWords(trial)}.`);
  };
  return {
    mode: 'record',
    file,
    recordedTrials: () => new Set(),
    answerOf: () => ({ nearest: null }),
    async keep({ trial: of, caller, request }, answer) {
      // An adapter of a plugin may answer with anything: one such line would make the whole file unreadable.
      const { data: kept } = recordedAnswerSchema.safeParse(answer);
      if (!kept) return leaveOut({ trial: of, caller }, 'it is no valid turn');
      const [trialKey, key] = [trialKeyOf(of), contentHash(request)];
      const occurrence = countOf(trialKey, callerKeyOf(caller), key);
      const isFirst = !begun.has(trialKey);
      begun.set(trialKey, of);
      await writer.write((contents) => {
        const trial = trialIn(contents, of);
        // An earlier recording of the trial is over. A stored trace that is only judged keeps its agent's calls.
        const earlier = isFirst
          ? trial.calls.filter((each) => caller.by === 'judge' && each.caller.by === 'agent')
          : trial.calls;
        contents.set(trialKey, { of, calls: [...earlier, { caller, occurrence, request, key, ...kept }] });
      });
    },
    async begin(of) {
      const key = trialKeyOf(of);
      if (begun.has(key)) return;
      begun.set(key, of);
      await writer.write((contents) => contents.set(key, { of, calls: [] }));
    },
    leaveOut,
    async finish(hasTrial) {
      const cases = new Set([...begun.values()].map(caseKey));
      if (cases.size > 0) {
        await writer.write((contents) => {
          for (const [key, { of }] of contents) {
            if (cases.has(caseKey(of)) && !hasTrial(of)) contents.delete(key);
          }
        });
      }
      return [...unusable, ...writer.problems()];
    },
  };
}

function caseKey({ scenario, case: name, adapter, model }: Omit<TrialOfCall, 'trial'>): string {
  return JSON.stringify([scenario, name, adapter, model]);
}

function answerKey(trial: string, caller: CallerOfCall, key: string, occurrence: number): string {
  return `${trial} ${callerKeyOf(caller)} ${key} ${occurrence}`;
}

/** Counts from 1 how often the same was asked for. */
function createCounter(): (...parts: string[]) => number {
  const counts = new Map<string, number>();
  return (...parts) => {
    const key = parts.join(' ');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}
