import { isRecord } from '../../text/json/is-record.ts';
import { jsonEqual } from '../../text/json/json-equal.ts';
import { textBetween } from '../../text/words/cut-text.ts';
import type { CassetteContents, RecordedTrial } from './cassette-contents.ts';
import {
  type CallerOfCall,
  type CassetteRequest,
  callerKeyOf,
  type RecordedCall,
  type TrialOfCall,
} from './cassette-document.ts';

interface Nearest {
  trial: TrialOfCall;
  call: RecordedCall;
}

/** What differs between a request and the recorded one that is most like it, in words; null if nothing is like it. */
export function describeNearest(
  contents: CassetteContents,
  asked: { trial: TrialOfCall; caller: CallerOfCall; request: CassetteRequest; key: string },
): string | null {
  const nearest = nearestRequest(contents, asked);
  if (nearest === null) return null;
  const { call, trial } = nearest;
  const isSameTrial = jsonEqual(trial, asked.trial);
  const where = [
    ...(isSameTrial ? [] : [`in ${trialWords(trial)}`]),
    ...(call.line === undefined ? [] : [`in line ${call.line}`]),
  ].join(', ');
  const at = where === '' ? '' : ` (${where})`;
  if (call.key === asked.key && isSameTrial && callerKeyOf(call.caller) === callerKeyOf(asked.caller)) {
    return `The same request was recorded ${call.occurrence === 1 ? 'once' : `${call.occurrence} times`}${at}, and is made once more now.`;
  }
  const difference = call.key === asked.key ? null : firstDifference(call.request, asked.request);
  if (difference === null) return `The same request was recorded elsewhere${at}, but not here.`;
  const { path, recorded, now } = difference;
  return `The nearest recorded request${at} differs in ${path}: recorded ${recorded}, now ${now}.`;
}

export function trialWords({ scenario, case: name, adapter, model, trial }: TrialOfCall): string {
  return `trial ${trial} of "${scenario}"${name === null ? '' : `, case "${name}"`}, ${adapter} ${model}`;
}

/** Of the same caller in the same trial if there is one, else of the same case, else of the scenario. */
function nearestRequest(
  contents: CassetteContents,
  { trial, caller, request, key }: { trial: TrialOfCall; caller: CallerOfCall; request: CassetteRequest; key: string },
): Nearest | null {
  let best: (Nearest & { likeness: number }) | null = null;
  for (const recorded of contents.values()) {
    if (recorded.of.scenario !== trial.scenario) continue;
    for (const call of recorded.calls) {
      if (call.caller.by !== caller.by) continue;
      const likeness = likenessOf(recorded, call);
      if (best === null || likeness >= best.likeness) best = { trial: recorded.of, call, likeness };
    }
  }
  return best;

  function likenessOf({ of }: RecordedTrial, call: RecordedCall): number {
    const begin = request.messages.findIndex((message, index) => !jsonEqual(message, call.request.messages[index]));
    const equal = begin < 0 ? request.messages.length : begin;
    // A request of the same length has the same position in its conversation.
    const isSameLength = call.request.messages.length === request.messages.length;
    return (
      (of.adapter === trial.adapter && of.model === trial.model ? 1e9 : 0) +
      (of.case === trial.case ? 1e8 : 0) +
      (of.trial === trial.trial ? 1e7 : 0) +
      (callerKeyOf(call.caller) === callerKeyOf(caller) ? 1e6 : 0) +
      (call.key === key ? 1e5 : 0) +
      equal * 10 +
      (isSameLength ? 5 : 0)
    );
  }
}

interface Difference {
  path: string;
  recorded: string;
  now: string;
}

/** Where two JSON values differ first, and what each has there; null if they are equal. */
export function firstDifference(recorded: unknown, now: unknown, path = ''): Difference | null {
  if (jsonEqual(recorded, now)) return null;
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const index = Array.from({ length: Math.max(recorded.length, now.length) }).findIndex(
      (_, at) => !jsonEqual(recorded[at], now[at]),
    );
    return firstDifference(recorded[index], now[index], `${path}[${index}]`);
  }
  if (isRecord(recorded) && isRecord(now)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
    const key = keys.find((each) => !jsonEqual(recorded[each], now[each])) ?? '';
    return firstDifference(recorded[key], now[key], path === '' ? key : `${path}.${key}`);
  }
  if (typeof recorded === 'string' && typeof now === 'string') return { path, ...textDifference(recorded, now) };
  return { path, recorded: shown(recorded), now: shown(now) };
}

const AROUND = 30;

/** The texts from shortly before the first character that differs. */
function textDifference(recorded: string, now: string): Pick<Difference, 'recorded' | 'now'> {
  let same = 0;
  while (same < recorded.length && recorded[same] === now[same]) same += 1;
  const cut = (text: string): string => {
    const part = textBetween(text, Math.max(0, same - AROUND), Math.min(text.length, same + AROUND));
    return `${part.from > 0 ? '...' : ''}${JSON.stringify(part.text)}${part.to < text.length ? '...' : ''}`;
  };
  return { recorded: cut(recorded), now: cut(now) };
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > 2 * AROUND ? `${textBetween(json, 0, 2 * AROUND).text}...` : json;
}
