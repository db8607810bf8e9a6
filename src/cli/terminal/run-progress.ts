import type { RunFilesEvent } from '../../app/run.ts';
import { uncalibratedWarnings } from '../../report/judge/judge-summaries.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { formatDiagnostics } from '../../scenario/diagnostics/format-diagnostics.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { Terminal } from './terminal.ts';
import { createWorkProgress } from './work-progress.ts';

/** Shows the warnings of a run once it is prepared, and then its trials. */
export function createRunProgress(terminal: Terminal): { onEvent(event: RunFilesEvent): void; finish(): void } {
  const { stderr, cwd } = terminal;
  const progress = createWorkProgress(
    terminal,
    'Finishing the trials under way. Ctrl-C again gives them up; --resume runs what is missing.',
  );
  const { state } = progress;
  let scenarios: RunRecord['scenarios'] = [];
  let planned = 0;
  return {
    onEvent(event) {
      switch (event.type) {
        case 'run_prepared': {
          const { run, warnings, uncalibrated } = event;
          scenarios = run.scenarios;
          planned = run.scenarios.length * run.options.trials;
          if (warnings.length > 0) {
            stderr.write(formatDiagnostics(warnings, { format: 'text', color: stderr.color, cwd }));
          }
          for (const line of uncalibratedWarnings(uncalibrated)) stderr.write(`${line}\n`);
          break;
        }
        case 'run_started':
          progress.start(planned, event.earlierTrials);
          break;
        case 'trial_started':
          state.running += 1;
          state.current = scenarios[event.scenario]?.name;
          break;
        case 'trial_ended':
          state.running -= 1;
          break;
        case 'retry':
          state.retries += 1;
          break;
        case 'trial_finished': {
          const { status, cost_usd, judge_cost_usd } = event.result;
          state.done += 1;
          state[status === 'passed' || status === 'unscored' ? status : 'failed'] += 1;
          state.costUsd = sumOrUnknown([state.costUsd, cost_usd]);
          state.judgeCostUsd = sumOrUnknown([state.judgeCostUsd, judge_cost_usd]);
        }
      }
      progress.show();
    },
    finish: progress.finish,
  };
}
