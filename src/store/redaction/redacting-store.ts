import { isDeepStrictEqual } from 'node:util';
import type { ExperimentRecord } from '../../arena/experiment/experiment-record.ts';
import type { Game } from '../../arena/game/game-document.ts';
import type { EvalResult } from '../../evaluators/eval-result.ts';
import type { CalibrationRecord } from '../../judge/calibration/calibration-record.ts';
import type { ScenarioSummary } from '../../run/run-document.ts';
import type { RunScenario } from '../../run/run-record.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Redactor } from '../../secrets/redaction.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { Store } from '../store.ts';
import {
  calibrationWithoutText,
  resultWithoutText,
  scenarioWithoutText,
  summaryWithoutText,
} from './record-metadata-only.ts';

/** A store that nothing secret gets into. The one place where redaction happens; what is read is as it was stored. */
export function redactingStore(store: Store, redactor: Redactor): Store {
  const metadataOnly = redactor.mode === 'metadata_only';

  function redactScenario(scenario: Scenario): Scenario {
    const redacted = redactor.value(scenario);
    return metadataOnly ? scenarioWithoutText(redacted) : redacted;
  }

  function redactSummary(summary: ScenarioSummary): ScenarioSummary {
    const redacted = redactor.value(summary);
    const judges = redacted.judges.map((judge, index) => ({
      ...judge,
      judge_hash: summary.judges[index]?.judge_hash ?? judge.judge_hash,
    }));
    return metadataOnly ? summaryWithoutText({ ...redacted, judges }) : { ...redacted, judges };
  }

  function redactResult(result: TrialResult): TrialResult {
    // The id of a trace is a hash, in which a pattern for numbers would find plenty.
    const { eval_results, ...rest } = redactor.value(result);
    const redacted = {
      ...rest,
      trace_id: result.trace_id,
      eval_results: eval_results.map((each, index) => withHash(each, result.eval_results[index])),
    };
    return metadataOnly ? resultWithoutText(redacted) : redacted;
  }

  function redactRunScenario({ scenario, summary, scenario_hash, ...entry }: RunScenario): RunScenario {
    return {
      ...redactor.value(entry),
      scenario_hash,
      scenario: redactScenario(scenario),
      summary: summary === null ? null : redactSummary(summary),
    };
  }

  function redactCalibration(record: CalibrationRecord): CalibrationRecord {
    const { judge_hash, created_at } = record;
    const redacted = { ...redactor.value(record), judge_hash, created_at };
    return metadataOnly ? calibrationWithoutText(redacted) : redacted;
  }

  function redactExperiment(experiment: ExperimentRecord): ExperimentRecord {
    const { name, stop_reason, plan } = experiment;
    const texts = (list: readonly string[]) => list.map(redactor.text);
    return {
      ...experiment,
      name: redactor.text(name),
      stop_reason: stop_reason === null ? null : redactor.text(stop_reason),
      plan: {
        ...plan,
        name: redactor.text(plan.name),
        tasks: texts(plan.tasks),
        red: texts(plan.red),
        blue: texts(plan.blue),
      },
    };
  }

  /** Figures, and short words of a manifest: which flaw it was, not what the code says. They stay in any mode. */
  function redactGame(game: Game): Game {
    const { task, red, blue, error, scores } = game;
    const vulnerabilities = scores?.vulnerabilities.map(({ id, category, technique, ...rest }) => ({
      ...rest,
      id: redactor.text(id),
      category: redactor.text(category),
      technique: technique === null ? null : redactor.text(technique),
    }));
    return {
      ...game,
      task: redactor.text(task),
      red: redactor.text(red),
      blue: redactor.text(blue),
      error: error === null ? null : redactor.text(error),
      scores: scores && vulnerabilities ? { ...scores, vulnerabilities } : null,
    };
  }

  return {
    ...store,
    createRun: (run) => store.createRun({ ...run, scenarios: run.scenarios.map(redactRunScenario) }),
    updateRun: (runId, { summaries, ...change }) =>
      store.updateRun(runId, summaries === undefined ? change : { ...change, summaries: summaries.map(redactSummary) }),
    saveTrace: (trace) => store.saveTrace(redactor.trace(trace)),
    saveTrial: (trial) =>
      store.saveTrial({ ...trial, result: trial.result === null ? null : redactResult(trial.result) }),
    saveCalibration: (record) => store.saveCalibration(redactCalibration(record)),
    saveExperiment: (experiment) => store.saveExperiment(redactExperiment(experiment)),
    claimExperiment: (experiment, refuse) => store.claimExperiment(redactExperiment(experiment), refuse),
    saveGame: (game) => store.saveGame(redactGame(game)),
    async saveCode(experimentId, codeKey, outcome) {
      // Code with something taken out is other code, on which no game could be played that compares with the others.
      if (metadataOnly || !isDeepStrictEqual(redactor.value(outcome), outcome)) return false;
      return store.saveCode(experimentId, codeKey, outcome);
    },
  };
}

/** By its hash a judge's calibration is found again. */
function withHash(redacted: EvalResult, original: EvalResult | undefined): EvalResult {
  const hash = original?.assertion_type === 'judge' ? original.metadata.judge_hash : undefined;
  return hash === undefined ? redacted : { ...redacted, metadata: { ...redacted.metadata, judge_hash: hash } };
}
