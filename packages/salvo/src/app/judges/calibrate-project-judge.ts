import { relative, resolve, sep } from 'node:path';
import { type CalibrationOutcome, calibrateJudge, calibrateRecorded } from '../../judge/calibration/calibrate-judge.ts';
import { holdsRecordedVerdicts, readRecordedVerdicts } from '../../judge/calibration/recorded-verdicts.ts';
import { resolveJudgeConfig } from '../../judge/judge-config.ts';
import { loadProject } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { findRun, openProjectStore } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import { calibrateByLabels } from './calibrate-labels.ts';
import type { CheckProjectJudgeOptions } from './check-project-judge.ts';
import { judgeByOptions, readyJudgeSettings } from './chosen-judge.ts';
import { readLabelsInput, readLabelsText } from './labels-input.ts';

export interface CalibrateProjectJudgeOptions extends CheckProjectJudgeOptions {
  /**
   * A JSONL or CSV file of labelled answers, or of verdicts that some other judge has given. If missing, the labels that
   * people gave in the viewer, and the stored verdicts on the same conversations: then no model is asked.
   */
  labels?: string | undefined;
  /**
   * Instead of labels, the outcomes that were given with the conversations of this run, which was imported and judged
   * again: an id, its beginning, or `latest`. No model is asked.
   */
  given?: string | undefined;
  /** A scenario file, whose judge is calibrated. */
  scenario?: string | undefined;
  /** Which judge of the scenario, when it asks several. */
  assertion?: string | undefined;
  /** True: a map from what the judge says to what people say is stored as well, if it is better on labels it has not seen. */
  recalibrate?: boolean | undefined;
  /** How often every item is judged: once if not given. */
  repeats?: number | undefined;
}

/**
 * Compares a judge with people's labels, and stores the comparison for later runs if it says enough. Without `rubric`
 * and `scenario`, the judge is the one of the project, if it has only one.
 */
export async function calibrateProjectJudge(given: CalibrateProjectJudgeOptions = {}): Promise<CalibrationOutcome> {
  const { cwd = process.cwd(), env = process.env, onEvent = () => {} } = given;
  const project = await loadProject(cwd);
  const { labels } = given;
  if (labels !== undefined && given.given !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', `{option:given} takes the place of labels: leave out ${labels}.`);
  }
  if (labels === undefined) return calibrateByStored(given, { project, cwd, env });
  const options = { ...given, labels };
  const text = await readLabelsText(labels, { cwd, signal: options.stop });
  if (holdsRecordedVerdicts(text)) return calibrateVerdicts(text, options, project);
  if (options.scenario !== undefined) {
    const { calibrateSimilarity, similarByOptions } = await import('./calibrate-similarity.ts');
    const similar = await similarByOptions(options, { project, cwd });
    if (similar) return calibrateSimilarity(text, similar, { project, env, options });
  }
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  const { asked, scenario, items } = await readLabelsInput(text, { options, project, cwd, models: services.models });
  const assertion = await judgeByOptions(asked, options, { project, cwd, onEvent });
  const settings = await readyJudgeSettings(assertion, services);
  const called = settings.judges.map((judge) => ({ ...judge, file: options.labels }));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  // Before the first paid call: a result that cannot be stored would be wasted money.
  const store = resources.adopt(await openProjectStore(project, { env }), (opened) => opened.close());
  onEvent({ type: 'will_be_stored' });
  onEvent({ type: 'judging_started', total: items.length });
  const outcome = await calibrateJudge({
    items,
    ...settings,
    scenario,
    models: services.models,
    cache: services.voteCache,
    repeats: options.repeats,
    recalibrate: options.recalibrate,
    concurrency: project.config.concurrency,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent,
  });
  if (outcome.record) await judgesOf(store).saveCalibration(outcome.record);
  return outcome;
}

type FileOptions = CalibrateProjectJudgeOptions & { labels: string };

async function calibrateByStored(
  options: CalibrateProjectJudgeOptions,
  { project, cwd, env }: { project: Project; cwd: string; env: Record<string, string | undefined> },
): Promise<CalibrationOutcome> {
  for (const name of ['rubric', 'judge', 'judges', 'model', 'k', 'threshold'] as const) {
    if (options[name] === undefined) continue;
    const message = `Without a file, the stored verdicts of judges are compared, and none is asked: leave out {option:${name}}.`;
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const { scenario, assertion: assertion_id } = options;
  if (options.given !== undefined && scenario !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', 'A run has its scenarios: leave out {option:scenario}.');
  }
  const file = scenario === undefined ? undefined : relative(project.root, resolve(cwd, scenario)).split(sep).join('/');
  await using resources = openResources();
  const opened = await openProjectStore(project, { env, mustExist: true });
  const store = resources.adopt(opened, (each) => each.close());
  options.onEvent?.({ type: 'will_be_stored' });
  const run = options.given === undefined ? undefined : await findRun(store, options.given);
  const outcome = await calibrateByLabels({
    store,
    project,
    env,
    chosen: { file, assertion_id },
    given: run,
    recalibrate: options.recalibrate,
  });
  if (outcome.record) await judgesOf(store).saveCalibration(outcome.record);
  return outcome;
}

function calibrateVerdicts(text: string, options: FileOptions, project: Project): CalibrationOutcome {
  const { labels: file, threshold = resolveJudgeConfig({}, project.config.judge).threshold } = options;
  for (const name of ['rubric', 'scenario', 'judge', 'judges', 'model'] as const) {
    if (options[name] === undefined) continue;
    throw new SalvoError(
      'OPTIONS_INVALID',
      `${file} has verdicts that a judge has given ("human"), so no judge is asked: leave out {option:${name}}.`,
      { location: { file } },
    );
  }
  if (options.recalibrate) {
    const message = `${file} has verdicts that a judge has given ("human"), for which nothing is stored: leave out {option:recalibrate}.`;
    throw new SalvoError('OPTIONS_INVALID', message, { location: { file } });
  }
  return calibrateRecorded(readRecordedVerdicts(text, { file, threshold }), { threshold });
}
