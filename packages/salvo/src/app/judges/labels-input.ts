import { resolve } from 'node:path';
import { type LabelledItem, readLabels } from '../../judge/calibration/calibration-labels.ts';
import { jsonLinesOfTable } from '../../judge/calibration/label-table.ts';
import type { JudgedScenario } from '../../judge/prompt/context.ts';
import type { JudgeAssertion } from '../../judge/scenario-judges.ts';
import { loadRubric } from '../../scenario/checks/inspect-rubric.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/load-scenario.ts';
import type { Criterion } from '../../scenario/schema/criterion-schema.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { readTextFile } from '../project/read-text-file.ts';
import { selectScenarios } from '../selection/select-scenarios.ts';
import { judgeByRubric, judgeOfProject, judgeOfScenario, rubricOfLabels } from './chosen-judge.ts';

/** Which file has the labels, and where the criteria are. */
interface LabelsOptions {
  labels: string;
  rubric?: string | undefined;
  scenario?: string | undefined;
  assertion?: string | undefined;
}

/** A file of labels as lines of JSON; a table is converted. */
export async function readLabelsText(
  file: string,
  place: { cwd: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const content = await readTextFile(file, place);
  return /\.csv$/i.test(file) ? jsonLinesOfTable(content, { file }) : content;
}

/** The labels of a file, and what a judge is asked about them. */
export interface LabelsInput {
  items: LabelledItem[];
  asked: JudgeAssertion | readonly Criterion[];
  scenario: JudgedScenario | undefined;
}

/**
 * The labels, with the judge by whose criteria they are read: of a rubric file, of a scenario, of the labels themselves,
 * or the only one of the project.
 */
export async function readLabelsInput(
  text: string,
  place: {
    options: LabelsOptions;
    project: Project;
    cwd: string;
    models: Parameters<typeof judgeOfProject>[1]['models'];
  },
): Promise<LabelsInput> {
  const { options, project, cwd, models } = place;
  const { labels: file } = options;
  const read = (criteria?: readonly Criterion[]) =>
    readLabels(text, { file, criteria: criteria?.map(({ name }) => name) });
  const input = async (): Promise<LabelsInput> => {
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
