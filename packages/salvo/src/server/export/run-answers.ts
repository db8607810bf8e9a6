import { at } from '../../app/view/address-parts.ts';
import type { MessageView } from '../../app/view/trial/message-view.ts';
import type { TrialOutcome } from '../../run/record/run-record.ts';
import type { Ask } from './recording-client.ts';

/** Which conversations are in the file. Of the other trials it says how they ended. */
export type ExportedTrials = 'all' | 'failed';

/** Everything that the pages about a run ask for. */
export async function runAnswers(ask: Ask, run: string, trials: ExportedTrials): Promise<void> {
  const routes = ask.runs[':run'];
  await routes.$get(at({ run }));
  await routes.flaky.$get(at({ run }));
  const outcomes: TrialOutcome[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const answer = await routes.outcomes.$get({ ...at({ run }), query: { offset: String(offset) } });
    const page: { outcomes: TrialOutcome[]; next_offset: number | null } = await answer.json();
    outcomes.push(...page.outcomes);
    offset = page.next_offset;
  }
  const judges = new Set<string>();
  for (const outcome of outcomes) {
    if (trials === 'failed' && outcome.status === 'passed') continue;
    for (const judge of await trialAnswers(ask, run, outcome)) judges.add(judge);
  }
  for (const judge of judges) {
    // One that was never calibrated has no page until a run that asked it has ended.
    await ask.judges[':judge'].$get(at({ judge })).catch(() => null);
  }
}

/** Returns the judges of the trial. */
export async function trialAnswers(
  ask: Ask,
  run: string,
  { scenario_index, case_index, trial_number }: Pick<TrialOutcome, 'scenario_index' | 'case_index' | 'trial_number'>,
): Promise<string[]> {
  const place = at({ run, scenario: scenario_index, case: case_index, trial: trial_number });
  const answer = await ask.runs[':run'].trials[':scenario'][':case'][':trial'].$get(place);
  const { trace, assertions } = await answer.json();
  if (trace !== null) await messageAnswers(ask, trace);
  return assertions.flatMap(({ judgement }) => (judgement === null ? [] : [judgement.judge_hash]));
}

async function messageAnswers(
  ask: Ask,
  { trace_id: trace, message_count }: { trace_id: string; message_count: number },
): Promise<void> {
  const routes = ask.traces[':trace'].messages;
  for (let offset = 0; offset < message_count; ) {
    const answer = await routes.$get({ ...at({ trace }), query: { offset: String(offset) } });
    const { messages } = await answer.json();
    for (const { index } of messages.filter(isShortened)) await routes[':index'].$get(at({ trace, index }));
    offset += Math.max(messages.length, 1);
  }
}

function isShortened({ content, reasoning, tool_calls }: Pick<MessageView, 'content' | 'reasoning' | 'tool_calls'>) {
  const texts = [content, reasoning, ...tool_calls.map((call) => call.arguments)];
  return texts.some((shown) => shown !== null && shown.full_length > shown.text.length);
}
