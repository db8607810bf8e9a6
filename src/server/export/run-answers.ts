import type { OutcomePage, RunView } from '../../app/view/runs/run-view.ts';
import type { MessagePage, MessageView } from '../../app/view/trial/message-view.ts';
import type { TrialView } from '../../app/view/trial/trial-view.ts';
import type { TrialOutcome } from '../../run/record/run-record.ts';

/** Asks the API, and puts the answer into the file. */
export type Ask = <Answer>(path: string) => Promise<Answer>;

/** Which conversations are in the file. Of the other trials it says how they ended. */
export type ExportedTrials = 'all' | 'failed';

/** Everything that the pages about a run ask for. */
export async function runAnswers(ask: Ask, runId: string, trials: ExportedTrials): Promise<void> {
  await ask<RunView>(`/runs/${runId}`);
  await ask(`/runs/${runId}/flaky`);
  const outcomes: TrialOutcome[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: OutcomePage = await ask<OutcomePage>(`/runs/${runId}/outcomes?offset=${offset}`);
    outcomes.push(...page.outcomes);
    offset = page.next_offset;
  }
  const judges = new Set<string>();
  for (const outcome of outcomes) {
    if (trials === 'failed' && outcome.status === 'passed') continue;
    for (const judge of await trialAnswers(ask, runId, outcome)) judges.add(judge);
  }
  for (const judge of judges) {
    // One that was never calibrated has no page until a run that asked it has ended.
    await ask(`/judges/${encodeURIComponent(judge)}`).catch(() => null);
  }
}

/** Returns the judges of the trial. */
export async function trialAnswers(
  ask: Ask,
  runId: string,
  { scenario_index, case_index, trial_number }: Pick<TrialOutcome, 'scenario_index' | 'case_index' | 'trial_number'>,
): Promise<string[]> {
  const place = `${scenario_index}/${case_index}/${trial_number}`;
  const { trace, assertions } = await ask<TrialView>(`/runs/${runId}/trials/${place}`);
  const count = trace?.message_count ?? 0;
  for (let offset = 0; trace !== null && offset < count; ) {
    const { messages } = await ask<MessagePage>(`/traces/${trace.trace_id}/messages?offset=${offset}`);
    for (const message of messages.filter(isShortened)) {
      await ask(`/traces/${trace.trace_id}/messages/${message.index}`);
    }
    offset += Math.max(messages.length, 1);
  }
  return assertions.flatMap(({ judgement }) => (judgement === null ? [] : [judgement.judge_hash]));
}

function isShortened({ content, reasoning, tool_calls }: MessageView): boolean {
  const texts = [content, reasoning, ...tool_calls.map((call) => call.arguments)];
  return texts.some((shown) => shown !== null && shown.full_length > shown.text.length);
}
