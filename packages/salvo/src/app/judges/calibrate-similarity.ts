import { resolve } from 'node:path';
import { assertionIds } from '../../evaluators/assertion-ids.ts';
import { getEvaluator } from '../../evaluators/registry.ts';
import { embedderOf, isSimilar } from '../../evaluators/types/text/output-similar.ts';
import { type CalibrationOutcome, calibrateRecorded } from '../../judge/calibration/calibrate-judge.ts';
import { type LabelledItem, readLabels } from '../../judge/calibration/calibration-labels.ts';
import type { JudgedItem } from '../../judge/calibration/compare-with-people.ts';
import { answerOf } from '../../judge/calibration/judge-labels.ts';
import { createBudget } from '../../models/budget/create-budget.ts';
import { runPool } from '../../queue/run-pool.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/load-scenario.ts';
import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { createCostSum } from '../../stats/cost.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import { openProjectModels } from '../project/project-models.ts';
import type { CalibrateProjectJudgeOptions } from './calibrate-project-judge.ts';

type Similar = AssertionOf<'output_similar'>;
type FileOptions = CalibrateProjectJudgeOptions & { labels: string };

interface SimilarOfScenario {
  loaded: LoadedScenario;
  index: number;
}

/**
 * The assertion of type `output_similar` that options name: by its id, or the only one of a scenario without judges. Null if
 * they mean a judge.
 */
export async function similarByOptions(
  { scenario: file, assertion: id }: Pick<FileOptions, 'scenario' | 'assertion'>,
  { project, cwd }: { project: Project; cwd: string },
): Promise<SimilarOfScenario | null> {
  if (file === undefined) return null;
  const loaded = await loadScenario({ file: resolve(cwd, file), project });
  const { assertions } = loaded.scenario;
  const ids = assertionIds(assertions);
  const similar = [...assertions.keys()].filter((index) => assertions[index]?.type === 'output_similar');
  const [first, second] = id === undefined ? similar : similar.filter((index) => ids[index] === id);
  if (first === undefined) return null;
  if (id === undefined && assertions.some(({ type }) => type === 'judge')) return null;
  if (second === undefined) return { loaded, index: first };
  const names = similar.map((index) => `"${ids[index]}"`).join(', ');
  const message = `${loaded.relativeFile} compares ${similar.length} texts (${names}): choose one with {option:assertion}.`;
  throw new SalvoError('JUDGE_AMBIGUOUS', message);
}

/** Compares the similarities of labelled answers with what people said of them, as the scores of a judge. Nothing is stored. */
export async function calibrateSimilarity(
  text: string,
  { loaded, index }: SimilarOfScenario,
  { project, env, options }: { project: Project; env: Record<string, string | undefined>; options: FileOptions },
): Promise<CalibrationOutcome> {
  refuseOptions(options);
  const items = readLabels(text, { file: options.labels }).filter(({ passed }) => passed !== null);
  const assertionOf = assertionsOfCases(loaded, index);
  const of = assertionOf(null);
  const { adapter, model } = embedderOf(of, project.config);
  await using services = await openProjectModels({ project, env, cache: options.judgeCache });
  await services.checkReady(adapter);
  const called = [{ adapter, model, file: options.labels }];
  const budget = createBudget(await services.budgetUsd(options.budgetUsd, called));
  const { stop, abort, onEvent = () => {} } = options;
  const cost = createCostSum();
  const judged = new Map<LabelledItem, JudgedItem>();
  onEvent({ type: 'judging_started', total: items.length });
  await runPool({
    jobs: items,
    concurrency: project.config.concurrency,
    stop,
    perform: async (item) => {
      onEvent({ type: 'item_started', name: `line ${item.line}` });
      const assertion = {
        ...assertionOf(item.case),
        ...(options.threshold !== undefined && { min: options.threshold }),
      };
      const { models, voteCache } = services;
      const context = {
        project,
        scenario: loaded.scenario,
        scenarioFile: loaded.file,
        models,
        voteCache,
        budget,
        signal: abort,
      };
      const {
        score,
        passed = false,
        details,
        metadata = {},
      } = await getEvaluator('output_similar')(assertion, item.trace, context);
      const own = judgeCost({ judge_cost_usd: 0, ...metadata });
      cost.add(own);
      judged.set(item, judgedItem(item, { score, passed, details }));
      onEvent({ type: 'item_finished', passed: score === null ? null : passed, cost: own });
    },
  });
  const compared = items.flatMap((item) => judged.get(item) ?? []);
  return calibrateRecorded(compared, {
    threshold: options.threshold ?? of.min,
    notKept: 'a similarity has no pass rates that could be corrected. Write the threshold into the scenario: min',
    notJudged: items.length - compared.length,
    judgeCost: cost.total(),
  });
}

/** The assertion of each case by its name. What has no templates is the same in all. */
function assertionsOfCases(
  { scenario, relativeFile }: LoadedScenario,
  index: number,
): (name: string | null) => Similar {
  const cases = scenarioCases(scenario);
  return (name) => {
    const assertion = scenario.assertions[index];
    if (!isSimilar(assertion)) throw new TypeError('expected output_similar');
    if (scenario.data === undefined || !JSON.stringify(assertion).includes('{{')) return assertion;
    const position = name === null ? 0 : cases.indexOf(name);
    const ofCase = position < 0 ? undefined : cases.scenarioOf(position).assertions[index];
    if (isSimilar(ofCase)) return ofCase;
    throw new SalvoError('LABELS_INVALID', `${relativeFile} has no case "${name}", which a line of the labels names.`);
  };
}

function judgedItem(
  { line, trace, scenario, case: caseName, passed: human }: LabelledItem,
  found: { score: number | null; passed: boolean; details: string },
): JudgedItem {
  const { score, passed, details } = found;
  return {
    ...{
      line,
      scenario,
      case: caseName,
      task: null,
      response: trace.final_content,
      answer: answerOf(trace),
      weight: null,
    },
    comparison:
      score === null
        ? null
        : { human: { passed: human === true, score: null }, judge: { passed, score }, votes: [[passed]] },
    error: score === null ? details : null,
    panel: [],
    said: [{ criterion: null, score, label: null, reasoning: details }],
  };
}

function refuseOptions(options: FileOptions): void {
  for (const name of ['rubric', 'judge', 'judges', 'model', 'k', 'recalibrate'] as const) {
    if (options[name] === undefined || options[name] === false) continue;
    const message = `The assertion compares embeddings and asks no judge: leave out {option:${name}}.`;
    throw new SalvoError('OPTIONS_INVALID', message);
  }
}
