import type { OutcomePage, RunView } from '../../app/view/run-view.ts';
import type { MessagePage, MessageView, TrialView } from '../../app/view/trial-view.ts';
import type { TrialOutcome } from '../../run/run-record.ts';

/** Asks the API, and puts the answer into the file. */
export type Ask = <Answer>(path: string) => Promise<Answer>;

/** Which conversations are in the file. Of the other trials it says how they ended. */
export type ExportedTrials = 'all' | 'failed';

/** Everything that the pages about a run ask for. */
export async function runAnswers(ask: Ask, runId: string, trials: ExportedTrials): Promise<void> {
  await ask<RunView>(`/runs/${runId}`);
  const outcomes: TrialOutcome[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: OutcomePage = await ask<OutcomePage>(`/runs/${runId}/outcomes?offset=${offset}`);
    outcomes.push(...page.outcomes);
    offset = page.next_offset;
  }
  for (const outcome of outcomes) {
    if (trials === 'failed' && outcome.status === 'passed') continue;
    await trialAnswers(ask, runId, outcome);
  }
}

async function trialAnswers(ask: Ask, runId: string, outcome: TrialOutcome): Promise<void> {
  const { scenario_index, case_index, trial_number } = outcome;
  const place = `${scenario_index}/${case_index}/${trial_number}`;
  const { trace } = await ask<TrialView>(`/runs/${runId}/trials/${place}`);
  if (trace === null) return;
  for (let offset = 0; offset < trace.message_count; ) {
    const { messages } = await ask<MessagePage>(`/traces/${trace.trace_id}/messages?offset=${offset}`);
    for (const message of messages.filter(isShortened)) {
      await ask(`/traces/${trace.trace_id}/messages/${message.index}`);
    }
    offset += Math.max(messages.length, 1);
  }
}

function isShortened({ content, reasoning, tool_calls }: MessageView): boolean {
  const texts = [content, reasoning, ...tool_calls.map((call) => call.arguments)];
  return texts.some((shown) => shown !== null && shown.full_length > shown.text.length);
}
