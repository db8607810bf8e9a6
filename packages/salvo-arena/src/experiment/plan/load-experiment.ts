import { basename, dirname, relative, resolve, sep } from 'node:path';
import {
  checkSchema,
  DiagnosticsError,
  hasErrors,
  inspectYaml,
  type Problem,
  type Project,
  readRoot,
} from 'salvo/kit/scenario';
import { SalvoError, suggestion } from 'salvo/kit/text';
import { looksLikeAddress } from '../../code/git-source.ts';
import { checkerProblem } from '../../game/truth-gate.ts';
import { weaknessCategories } from '../../match/weaknesses/weaknesses.ts';
import { asksModel, parseBlueName, parseRedName } from '../../teams/team-name.ts';
import { type ExperimentPlan, gamesPlanned, MOST_GAMES } from './experiment-plan.ts';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';
import { selectTasks } from './select-tasks.ts';

/** The plan of an experiment file, or a `DiagnosticsError` with all problems of the file. */
export function loadExperiment({ file, project }: { file: string; project: Project }): ExperimentPlan {
  const { data: plan, diagnostics } = inspectYaml({
    file,
    projectRoot: readRoot(project),
    emptyHint: 'an experiment has at least a name, and tasks or templates',
    check: (value) => {
      const checked = checkSchema(experimentSchema, value);
      return checked.data ? buildPlan(checked.data, project, dirname(file)) : checked;
    },
  });
  if (plan === null || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  return plan;
}

function buildPlan(
  data: ExperimentFile,
  project: Project,
  folder: string,
): { data: ExperimentPlan; problems: Problem[] } {
  const own_code = data.templates?.map((source) => namedTemplate(source, { root: readRoot(project), folder }));
  const { tasks, problems: taskProblems } = own_code
    ? { tasks: own_code.map(({ name }) => name), problems: [] }
    : selectTasks(data.tasks ?? 'all', data.seed);
  const adapters = Object.keys(project.config.adapters);
  const plan = { ...data, tasks, ...(own_code && { own_code }) };
  const problems: Problem[] = [
    ...taskProblems.map(({ path, message, hint }) => ({ code: 'invalid-value' as const, message, hint, path })),
    ...teamProblems(data, adapters),
    ...repeatedNames(data),
    ...templateProblems(data, tasks),
  ];
  if (gamesPlanned(plan) > MOST_GAMES) {
    const message = `the matrix has ${gamesPlanned(plan)} games, more than ${MOST_GAMES}`;
    problems.push({ code: 'too-large', message, hint: 'play fewer tasks, or a sample of them', path: ['tasks'] });
  }
  if (data.strategy.includes('targeted') && data.category === undefined) {
    const message = 'the targeted strategy needs a "category" to aim at';
    problems.push({ code: 'missing-key', message, path: ['strategy', data.strategy.indexOf('targeted')] });
  }
  problems.push(...settingProblems(data, adapters));
  const known = data.category === undefined ? [] : weaknessCategories();
  if (data.category !== undefined && !known.includes(data.category)) {
    const message = `there is no category "${data.category.slice(0, 100)}"`;
    const hint = suggestion(data.category, known, `choose one of ${known.join(', ')}`);
    problems.push({ code: 'invalid-value', message, hint, path: ['category'] });
  }
  return { data: plan, problems };
}

/** The name of code of the user in tables, and its path from the project's folder. */
function namedTemplate(source: string, { root, folder }: { root: string; folder: string }) {
  if (looksLikeAddress(source)) {
    const [address = ''] = source.split(/[?#]/, 1);
    const parts = address.split(/[/\\]/).filter(Boolean);
    return {
      name: parts
        .slice(-2)
        .join('/')
        .replace(/\.git$/, ''),
      source,
    };
  }
  const path = relative(root, resolve(folder, source)) || '.';
  return { name: path === '.' ? basename(root) : path.split(sep).slice(-2).join('/'), source: path };
}

/** Code of the user says itself what it is for and in which language, and only the embedded Red can change it. */
function templateProblems(data: ExperimentFile, tasks: readonly string[]): Problem[] {
  const problem = (path: (string | number)[], message: string): Problem => ({ code: 'invalid-value', message, path });
  if (!data.templates) {
    return data.tasks === undefined ? [{ code: 'missing-key', message: 'give "tasks" or "templates"', path: [] }] : [];
  }
  const again = tasks.findIndex((name, index) => tasks.indexOf(name) !== index);
  const model = data.red.findIndex((name) => asksModel(name));
  return [
    ...(data.tasks === undefined ? [] : [problem(['tasks'], 'give "tasks" or "templates", not both')]),
    ...(again < 0 ? [] : [problem(['templates', again], `"${tasks[again]?.slice(0, 100)}" is listed twice`)]),
    ...(model < 0
      ? []
      : [problem(['red', model], 'a model writes its own code: with "templates", only mutation plays')]),
  ];
}

/** Settings that contradict each other. They would otherwise fail every game, one by one. */
function settingProblems(data: ExperimentFile, adapters: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const add = (key: keyof ExperimentFile, message: string) =>
    problems.push({ code: 'invalid-value', message, path: [key] });
  const { technique, blue_category, checker } = data;
  if (technique === 'targeted' && blue_category === undefined) {
    add('technique', 'the technique targeted needs a "blue_category" to look for');
  }
  if (technique !== 'targeted' && blue_category !== undefined) {
    add('blue_category', 'this is only for the technique targeted');
  }
  const blues = data.blue.flatMap((name) => (teamProblem('blue', name, adapters) === null ? [name] : []));
  const problem =
    checker === undefined
      ? null
      : checkerProblem(
          blues.map((name) => parseBlueName(name, { adapters })),
          checker,
        );
  if (problem !== null) add('checker', problem);
  return problems;
}

function teamProblems(data: ExperimentFile, adapters: readonly string[]): Problem[] {
  return (['red', 'blue'] as const).flatMap((side) =>
    data[side].flatMap((name, index) => {
      const message = teamProblem(side, name, adapters);
      return message === null ? [] : [{ code: 'invalid-value' as const, message, path: [side, index] }];
    }),
  );
}

/** A name that is listed twice would play, pay for and count every game twice. */
function repeatedNames(data: ExperimentFile): Problem[] {
  return (['red', 'blue', 'difficulty', 'language', 'strategy'] as const).flatMap((key) => {
    const names: readonly string[] = data[key];
    return names.flatMap((name, index): Problem[] => {
      if (names.indexOf(name) === index) return [];
      return [{ code: 'invalid-value', message: `"${name.slice(0, 100)}" is listed twice`, path: [key, index] }];
    });
  });
}

/** Why a name means no team; null when it does mean one. */
function teamProblem(side: 'red' | 'blue', name: string, adapters: readonly string[]): string | null {
  try {
    if (side === 'red') parseRedName(name, { adapters });
    else parseBlueName(name, { adapters });
    return null;
  } catch (error) {
    if (error instanceof SalvoError) return error.message;
    throw error;
  }
}
