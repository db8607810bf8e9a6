import { relative, resolve, sep } from 'node:path';
import { type CalibrationOutcome, calibrateJudge, calibrateRecorded } from '../../judge/calibration/calibrate-judge.ts';
import { type LabelledItem, readLabels } from '../../judge/calibration/calibration-labels.ts';
import { jsonLinesOfTable } from '../../judge/calibration/label-table.ts';
import { holdsRecordedVerdicts, readRecordedVerdicts } from '../../judge/calibration/recorded-verdicts.ts';
import { resolveJudgeConfig } from '../../judge/judge-config.ts';
import type { JudgedScenario } from '../../judge/prompt/context.ts';
import type { JudgeAssertion } from '../../judge/scenario-judges.ts';
import { loadRubric } from '../../scenario/checks/inspect-rubric.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/load-scenario.ts';
import type { Criterion } from '../../scenario/schema/criterion-schema.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { findRun, openProjectStore } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import { readTextFile } from '../project/read-text-file.ts';
import { selectScenarios } from '../selection/select-scenarios.ts';
import { calibrateByLabels } from './calibrate-labels.ts';
import type { CheckProjectJudgeOptions } from './check-project-judge.ts';
import {
  judgeByOptions,
  judgeByRubric,
  judgeOfProject,
  judgeOfScenario,
  readyJudgeSettings,
  rubricOfLabels,
} from './chosen-judge.ts';

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
  const content = await readTextFile(labels, { cwd, signal: options.stop });
  const text = /\.csv$/i.test(labels) ? jsonLinesOfTable(content, { file: labels }) : content;
  if (holdsRecordedVerdicts(text)) return calibrateVerdicts(text, options, project);
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  const { asked, scenario, items } = await readInput(text, { options, project, cwd, models: services.models });
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
  const outcome = await calibrateByLabels({ store, project, env, chosen: { file, assertion_id }, given: run });
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
  return calibrateRecorded(readRecordedVerdicts(text, { file, threshold }), { threshold });
}

interface Input {
  items: LabelledItem[];
  asked: JudgeAssertion | readonly Criterion[];
  scenario: JudgedScenario | undefined;
}

async function readInput(
  text: string,
  place: {
    options: FileOptions;
    project: Project;
    cwd: string;
    models: Parameters<typeof judgeOfProject>[1]['models'];
  },
): Promise<Input> {
  const { options, project, cwd, models } = place;
  const { labels: file } = options;
  const read = (criteria?: readonly Criterion[]) =>
    readLabels(text, { file, criteria: criteria?.map(({ name }) => name) });
  const input = async (): Promise<Input> => {
    if (options.rubric !== undefined) {
      const rubric = await loadRubric({ file: resolve(cwd, options.rubric), projectRoot: readRoot(project) });
      return { asked: judgeByRubric(rubric), items: read(rubric.criteria), scenario: undefined };
    }
    if (options.scenario !== undefined) {
      const loaded = await loadScenario({ file: resolve(cwd, options.scenario), project });
      const asked = judgeOfScenario(loaded, options.assertion);
      return { asked, items: read(asked.criteria), scenario: loaded.scenario };
    }
    const items = read();
    const own = rubricOfLabels(items);
    if (own) return { asked: own, items, scenario: undefined };
    const scenarios = await scenariosOf(project);
    const { assertion, loaded } = judgeOfProject(scenarios, { labels: file, items, cwd, project, models });
    return { asked: assertion, items: read(assertion.criteria), scenario: loaded.scenario };
  };
  const { items, ...rest } = await input();
  return { ...rest, items: await withScenarioNames(items, project) };
}

/** A trace that was recorded by a run has the hash of its scenario, which is its name as long as the file is the same. */
async function withScenarioNames(items: LabelledItem[], project: Project): Promise<LabelledItem[]> {
  if (!items.some(({ scenario, trace }) => scenario === null && trace.scenario_hash !== '')) return items;
  const names = new Map((await scenariosOf(project)).map(({ hash, scenario }) => [hash, scenario.name]));
  return items.map((item) => ({ ...item, scenario: item.scenario ?? names.get(item.trace.scenario_hash) ?? null }));
}

/** None when the project has no scenario files. */
async function scenariosOf(project: Project): Promise<LoadedScenario[]> {
  try {
    return (await selectScenarios({ project, cwd: project.root })).chosen.map(({ loaded }) => loaded);
  } catch (error) {
    if (error instanceof SalvoError && error.code === 'SCENARIOS_MISSING') return [];
    throw error;
  }
}
