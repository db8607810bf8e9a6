import type { RunFilesEvent } from '../../app/selection/run-files-event.ts';
import { uncalibratedWarnings } from '../../report/judge/result-words.ts';
import { cassetteName } from '../../report/run/words/run-notes.ts';
import { scenarioHandles, scenarioTitles } from '../../report/run/words/scenario-handles.ts';
import { failureNote } from '../../report/run/words/trial-failure.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { ReevaluateEvent } from '../../run/reevaluate/reevaluation.ts';
import { formatDiagnostics } from '../../scenario/diagnostics/format-diagnostics.ts';
import { NO_COST, sumCosts } from '../../stats/cost.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { agentCost, judgeCost, userCost } from '../../trace/cost-fields.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { Terminal } from './terminal.ts';
import { createWorkProgress, type EventDisplay, type ProgressSettings } from './work-progress.ts';

/** Shown with the first trial whose assertions on tools could not be scored: later ones have the same cause. */
const TOOLS_NOTE =
  'assertions on tools are not scored, because not all calls of the agent were seen. If it calls no others, add to the scenario: tools_seen: all';

function notObserved(problem: string): string {
  return `assertions on tools are not scored, because the agent was not observed: ${safeLine(problem, 500)}`;
}

/** Shows the warnings of a run once it is prepared, and then its trials. */
export function createRunProgress(
  terminal: Terminal,
  settings: ProgressSettings & { resumed: boolean },
): EventDisplay<RunFilesEvent> {
  const { stderr, cwd } = terminal;
  const progress = createWorkProgress(terminal, {
    ...settings,
    stopNote: 'Finishing the trials under way. Ctrl-C again gives them up; --resume runs what is missing.',
  });
  const { state } = progress;
  let names: string[] = [];
  let handles: string[] = [];
  let run: RunRecord | null = null;
  let isToolsNoteShown = false;
  return {
    onEvent(event) {
      switch (event.type) {
        case 'run_prepared': {
          const { warnings, uncalibrated } = event;
          run = event.run;
          names = scenarioTitles(run.scenarios);
          handles = scenarioHandles(run.scenarios);
          if (warnings.length > 0) {
            stderr.write(formatDiagnostics(warnings, { format: 'text', color: stderr.color, cwd }));
          }
          const { cassette, tool_cassettes: ofTools = {} } = run.options;
          const recorded = Object.keys(ofTools).filter((file) => ofTools[file] === 'record');
          if (recorded.length > 0 && !settings.quiet) {
            stderr.write(`Tools are called, and their answers are recorded on ${safeLine(recorded.join(', '))}.\n`);
          }
          if (cassette?.mode === 'record' && !settings.quiet) {
            stderr.write(`Models are called, and their answers are recorded on ${safeLine(cassetteName(cassette))}.\n`);
          }
          if (!settings.quiet) for (const note of event.notes ?? []) stderr.write(`${safeLine(note)}\n`);
          for (const line of uncalibratedWarnings(uncalibrated)) stderr.write(`${line}\n`);
          break;
        }
        case 'checking_judges':
          if (!settings.quiet) stderr.write('Asking the judges about the anchors of their calibrations.\n');
          return;
        case 'run_started':
          // Before the display opens.
          if (!settings.quiet && event.repeated + event.judgedAgain > 0) stderr.write(whatIsRepeated(event));
          progress.start(event.planned, event.earlierTrials);
          break;
        case 'trial_started':
          progress.begin(names[event.scenario] ?? '');
          break;
        case 'trial_ended':
          progress.end(names[event.scenario] ?? '');
          break;
        case 'retry':
          state.retries += 1;
          break;
        case 'trial_finished':
          addTrial(progress, event.result);
          if (!isToolsNoteShown) {
            const unseen = event.result.eval_results.find(({ metadata }) => metadata.tools_unseen === true)?.metadata;
            isToolsNoteShown = unseen !== undefined;
            const note = typeof unseen?.not_observed === 'string' ? notObserved(unseen.not_observed) : TOOLS_NOTE;
            if (unseen) progress.note(`${safeLine(names[event.scenario] ?? '')}: ${note}`);
          }
          state.cost = sumCosts([state.cost, agentCost(event.result)]);
          // A run that is resumed need not be the latest. The note says why such trials are not scored.
          // In a run of several doses of faults, failures are what is measured.
          if (run && !run.options.faults?.variants && !isToolsUnknown(event.result)) {
            const handle = handles[event.scenario] ?? '';
            addFailure(progress, {
              run,
              isLatest: !settings.resumed,
              handle,
              result: event.result,
              isLog: !stderr.isTTY,
            });
          }
          break;
        default:
          progress.onWorkEvent(event);
      }
      progress.show();
    },
    finish: progress.finish,
  };
}

function isToolsUnknown({ status, error_code }: TrialResult): boolean {
  return status === 'unscored' && error_code === 'TOOLS_UNKNOWN';
}

function whatIsRepeated({ repeated, judgedAgain }: { repeated: number; judgedAgain: number }): string {
  const run = repeated > 0 ? `Run again, because the agent did not finish: ${trialCount(repeated)}.\n` : '';
  const judged = judgedAgain > 0 ? `Judged again, without calling the agent: ${trialCount(judgedAgain)}.\n` : '';
  return run + judged;
}

function trialCount(count: number): string {
  return `${count} trial${count === 1 ? '' : 's'}`;
}

/** Shows the trials of a run that are judged again. */
export function createReevalProgress(terminal: Terminal, settings: ProgressSettings): EventDisplay<ReevaluateEvent> {
  const progress = createWorkProgress(terminal, {
    ...settings,
    stopNote: 'Finishing what is being judged. Ctrl-C again gives it up.',
  });
  let handles: string[] | null = null;
  return {
    onEvent(event) {
      switch (event.type) {
        case 'reevaluation_started':
          progress.start(event.total);
          break;
        case 'trial_started':
          progress.begin(event.scenario);
          break;
        case 'trial_ended':
          progress.end(event.scenario);
          break;
        case 'trial_finished': {
          const { run, result } = event;
          handles ??= scenarioHandles(run.scenarios);
          addTrial(progress, result);
          const isLog = !terminal.stderr.isTTY;
          addFailure(progress, { run, isLatest: true, handle: handles[event.scenario] ?? '', result, isLog });
        }
      }
      progress.show();
    },
    finish: progress.finish,
  };
}

function addTrial({ state }: ReturnType<typeof createWorkProgress>, result: TrialResult): void {
  const { status } = result;
  state.done += 1;
  state[status === 'passed' || status === 'unscored' ? status : 'failed'] += 1;
  state.judgeCost = sumCosts([state.judgeCost, judgeCost(result)]);
  state.userCost = sumCosts([state.userCost ?? NO_COST, userCost(result)]);
}

function addFailure(
  progress: ReturnType<typeof createWorkProgress>,
  trial: { run: RunRecord; isLatest: boolean; handle: string; result: TrialResult; isLog: boolean },
): void {
  const { run, isLatest, handle, result, isLog } = trial;
  // A trace that was only recorded is not scored, which is no failure.
  if (result.status === 'passed' || ((run.options.record_only || run.options.look) && result.error_message === null))
    return;
  const { text, kind } = failureNote({ runId: isLatest ? null : run.run_id, scenario: handle, result, isLog });
  progress.failure(text, kind);
}
