import { replayCommand } from '../report/run/words/replay-command.ts';
import { formatPercent, formatPlural } from '../stats/format.ts';
import { safeLine } from '../text/output/safe-text.ts';
import type { Message } from '../trace/message.ts';
import type { Trace } from '../trace/trace.ts';
import type { CheckedTrial } from './check-trials.ts';
import type { TestedRun } from './evaluate.ts';

const MOST_SHOWN = 3;
const MOST_NAMED = 12;
const LONGEST_REASON = 500;

/** `Expected every trial to call "refund", but only 3 of 5 did.` */
export function expectation(options: {
  /** What a trial has to do, such as `call "refund"`. */
  what: string;
  /** Null: no trial may do it. */
  needed: number | null;
  held: number;
  planned: number;
}): string {
  const { what, needed, held, planned } = options;
  if (needed === null) {
    const happened = held === 0 ? 'trials broke off, which proves nothing' : `${held} of ${planned} did`;
    return `Expected no trial to ${what}, but ${happened}.`;
  }
  if (planned === 1) return `Expected the agent to ${what}, but it did not.`;
  const who = needed >= 1 ? 'every trial' : `at least ${formatPercent(needed)} of the trials`;
  return `Expected ${who} to ${what}, but ${held === 0 ? 'none' : `only ${held}`} of ${planned} did.`;
}

/** The heading, then the first kinds of failures: the reason, a conversation, and the command that shows all of it. */
export function failureText(tested: TestedRun, heading: string, trials: readonly CheckedTrial[]): string {
  const groups = groupTrials(trials, ({ trial, reason }) => [reason, ...conversationOf(trial)].join('\n'));
  const shown = groups.slice(0, MOST_SHOWN).map((group) => groupBlock(tested, group));
  const rest = groups.slice(MOST_SHOWN).flat();
  const others = rest.length > 0 ? [`And ${formatPlural(rest.length, 'other trial')}: ${trialNames(rest)}.`] : [];
  return tested.redactor.text([heading, ...shown, ...others].join('\n\n'));
}

/** One line for each reason: `trials 1, 2: the model did not answer`. */
export function reasonLines(trials: readonly CheckedTrial[]): string[] {
  const groups = groupTrials(trials, ({ reason }) => reason);
  const lines = groups.slice(0, MOST_SHOWN).map((group) => `${trialNames(group)}: ${group[0]?.reason ?? ''}`);
  const rest = groups.slice(MOST_SHOWN).flat();
  return rest.length === 0 ? lines : [...lines, `and ${formatPlural(rest.length, 'other trial')}`];
}

function groupTrials(trials: readonly CheckedTrial[], keyOf: (trial: CheckedTrial) => string): CheckedTrial[][] {
  return [...Map.groupBy(trials, keyOf).values()];
}

/** `trial 2`, `trials 2, 3`, or `trial 2 of late parcel` in a scenario with data. */
function trialNames(trials: readonly CheckedTrial[]): string {
  const names = trials.map(({ trial: { trial_number, case: name } }) =>
    name === null ? String(trial_number) : `${trial_number} of ${safeLine(name, 80)}`,
  );
  const more = names.length > MOST_NAMED ? ', …' : '';
  return `${names.length === 1 ? 'trial' : 'trials'} ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function groupBlock({ run, openStore }: TestedRun, group: readonly CheckedTrial[]): string {
  const [first] = group;
  if (!first) return '';
  const { trial, reason } = first;
  const names = trialNames(group);
  const heading = `${names[0]?.toUpperCase()}${names.slice(1)}: ${safeLine(reason, LONGEST_REASON)}`;
  const { case: caseName, trial_number: trialNumber } = trial;
  const replay = replayCommand({ runId: run.runId, scenario: run.summary.name, caseName, trialNumber });
  const isStored = openStore !== null && trial.trace_id !== null;
  return [heading, ...[...conversationOf(trial), ...(isStored ? [`$ ${replay}`] : [])].map((line) => `  ${line}`)].join(
    '\n',
  );
}

function conversationOf({ trace }: CheckedTrial['trial']): string[] {
  return trace ? briefConversation(trace) : [];
}

const FIRST_LINES = 3;
const LAST_LINES = 6;
const LONGEST = 110;

/** A conversation in a few lines, for a message about a failed test. */
function briefConversation({ messages }: Trace): string[] {
  const lines = messages.flatMap(messageLines).map((line) => safeLine(line, LONGEST));
  if (lines.length <= FIRST_LINES + LAST_LINES + 1) return lines;
  const left = lines.length - FIRST_LINES - LAST_LINES;
  return [...lines.slice(0, FIRST_LINES), `… ${left} more lines`, ...lines.slice(-LAST_LINES)];
}

/** A system prompt is long, and the same in all trials. */
function messageLines(message: Message): string[] {
  if (message.role === 'system') return [];
  if (message.role === 'user') return [`user: ${message.content}`];
  if (message.role === 'tool_result') {
    return [`${message.name} ${message.is_error ? 'failed' : 'answered'}: ${message.content}`];
  }
  const said = message.content === null || message.content === '' ? [] : [`agent: ${message.content}`];
  const calls = message.tool_calls.map(
    ({ name, arguments: args, raw_arguments: raw }) => `agent calls ${name} ${raw ?? JSON.stringify(args)}`,
  );
  return [...said, ...calls];
}
