import type { JudgeTestEvent } from '../../app/judges/check-project-judge.ts';
import type { MutateEvent } from '../../app/mutate/mutate-run.ts';
import { formatDiagnostics } from '../../scenario/diagnostics/format-diagnostics.ts';
import { sumCosts } from '../../stats/cost.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { Terminal } from './terminal.ts';
import { createWorkProgress, type EventDisplay, type ProgressSettings } from './work-progress.ts';

const WILL_BE_STORED = `The result is stored. If the labels say enough, \`salvo run\` corrects the pass rates of this judge by it from then on; \`${salvoCommand()} calibrate --forget\` undoes that.\n`;

/** Shows how many items a judge has judged. */
export function createJudgeProgress(terminal: Terminal, settings: ProgressSettings): EventDisplay<JudgeTestEvent> {
  const { stderr, cwd } = terminal;
  const progress = createWorkProgress(terminal, {
    ...settings,
    stopNote: 'Finishing what is being judged. Ctrl-C again gives it up.',
  });
  const { state } = progress;
  return {
    onEvent(event) {
      switch (event.type) {
        case 'judge_warnings':
          stderr.write(formatDiagnostics(event.warnings, { format: 'text', color: stderr.color, cwd }));
          return;
        case 'needless_votes':
          stderr.write(`A decision model votes once, not ${event.k} times: it would answer the same again.\n`);
          return;
        case 'will_be_stored':
          if (!settings.quiet) stderr.write(WILL_BE_STORED);
          return;
        case 'judging_started':
          progress.start(event.total);
          return;
        case 'item_started':
          state.running += 1;
          state.current = event.name;
          break;
        case 'item_left':
          state.running -= 1;
          break;
        case 'item_finished':
          state.running -= 1;
          state.done += 1;
          state[event.passed === null ? 'unscored' : event.passed ? 'passed' : 'failed'] += 1;
          state.judgeCost = sumCosts([state.judgeCost, event.cost]);
      }
      progress.show();
    },
    finish: progress.finish,
  };
}

/** Shows how many mutants were tried. How many passed would say nothing: most of them have to fail. */
export function createMutateProgress(terminal: Terminal, settings: ProgressSettings): EventDisplay<MutateEvent> {
  const progress = createWorkProgress(terminal, {
    ...settings,
    stopNote: 'Finishing the mutants that are being tried. Ctrl-C again gives them up.',
  });
  const { state } = progress;
  return {
    onEvent(event) {
      if (event.type === 'mutants_drawn') {
        progress.start(event.total);
        return;
      }
      state.done += 1;
      state.judgeCost = sumCosts([state.judgeCost, { usd: event.judgeCostUsd }]);
      progress.show();
    },
    finish: progress.finish,
  };
}
