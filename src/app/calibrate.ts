import { resolve } from 'node:path';
import { readLabels } from '../judge/calibration/calibration-labels.ts';
import { type CalibrationOutcome, runCalibration } from '../judge/calibration/run-calibration.ts';
import { loadProject } from '../scenario/load-project.ts';
import { loadRubric } from '../scenario/load-rubric.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { CheckJudgeOptions } from './check-judge.ts';
import { chosenJudge, judgeOfScenario, readyJudgeSettings, rubricOfLabels } from './chosen-judge.ts';
import { openProjectStore } from './open-project.ts';
import { openResources } from './open-resources.ts';
import { openProjectModels } from './project-models.ts';
import { readTextFile } from './read-text-file.ts';

export interface CalibrateOptions extends CheckJudgeOptions {
  /** A JSONL file of labelled answers. */
  labels: string;
  /** A scenario file, whose judge is calibrated. */
  scenario?: string | undefined;
  /** Which judge of the scenario, when it asks several. */
  assertion?: string | undefined;
  /** How often every item is judged: once if not given. */
  repeats?: number | undefined;
  budgetUsd?: number | undefined;
}

/** Compares a judge with people's labels, and stores the comparison for later runs if it says enough. */
export async function calibrateJudge(options: CalibrateOptions): Promise<CalibrationOutcome> {
  const { cwd = process.cwd(), env = process.env, budgetUsd, onEvent = () => {} } = options;
  const project = await loadProject(cwd);
  const { items, assertion, scenario } = await readInput(options, project, cwd);
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  const settings = readyJudgeSettings(assertion, services);
  if (budgetUsd !== undefined) {
    await services.checkPrices(settings.judges.map((judge) => ({ ...judge, file: options.labels })));
  }
  // Before the first paid call: a result that cannot be stored would be wasted money.
  const store = resources.adopt(await openProjectStore(project, { env }), (opened) => opened.close());
  onEvent({ type: 'judging_started', total: items.length });
  const outcome = await runCalibration({
    items,
    ...settings,
    scenario,
    models: services.models,
    cache: services.voteCache,
    repeats: options.repeats,
    concurrency: project.config.concurrency,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent,
  });
  if (outcome.record) await store.saveCalibration(outcome.record);
  return outcome;
}

async function readInput(options: CalibrateOptions, project: Project, cwd: string) {
  const text = await readTextFile(options.labels, { cwd });
  const given = await readRubric(options, project, cwd);
  const criteria = given && (Array.isArray(given.asked) ? given.asked : given.asked.criteria);
  const items = readLabels(text, { file: options.labels, criteria: criteria?.map(({ name }) => name) });
  const asked = given?.asked ?? rubricOfLabels(items, options.labels);
  return { items, assertion: chosenJudge(asked, options), scenario: given?.scenario };
}

async function readRubric({ rubric, scenario, assertion }: CalibrateOptions, project: Project, cwd: string) {
  if (rubric !== undefined) {
    return { asked: await loadRubric({ file: resolve(cwd, rubric), projectRoot: project.root }) };
  }
  if (scenario === undefined) return null;
  const loaded = await loadScenario({ file: resolve(cwd, scenario), project });
  return { asked: judgeOfScenario(loaded, assertion), scenario: loaded.scenario };
}
