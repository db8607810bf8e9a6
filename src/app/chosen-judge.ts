import { assertionIds } from '../evaluators/assertion-ids.ts';
import type { LabelledItem } from '../judge/calibration/calibration-labels.ts';
import { type JudgeInUse, judgesInUse } from '../judge/calibration/judges-in-use.ts';
import { type JudgeAssertion, judgeSettings, scenarioJudges } from '../judge/scenario-judges.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import { ASSERTION_SCHEMAS } from '../scenario/schema/assertion-schema.ts';
import type { Criterion } from '../scenario/schema/criterion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { some } from '../text/value-words.ts';
import type { ProjectModels } from './project-models.ts';

/** How a user chooses a judge. */
export interface JudgeOptions {
  judge?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  threshold?: number | undefined;
}

/** The judge that the user chose, in the form of a scenario's assertion. */
export function chosenJudge(asked: JudgeAssertion | readonly Criterion[], options: JudgeOptions): JudgeAssertion {
  const assertion = isRubric(asked) ? ASSERTION_SCHEMAS.judge.parse({ type: 'judge', criteria: asked }) : asked;
  const { judge, model } = options;
  return {
    ...assertion,
    judge_adapter: judge ?? assertion.judge_adapter,
    judge_model: model ?? assertion.judge_model,
    // A judge that is named replaces a panel.
    judges: judge === undefined && model === undefined ? assertion.judges : undefined,
    k: options.k ?? assertion.k,
    threshold: options.threshold ?? assertion.threshold,
  };
}

/** What an assertion asks of its judges. Throws when one cannot be called, which would leave everything unscored. */
export function readyJudgeSettings(
  assertion: JudgeAssertion,
  { project, checkReady }: ProjectModels,
): ReturnType<typeof judgeSettings> {
  const settings = judgeSettings(assertion, project.config.judge);
  for (const { adapter } of settings.judges) checkReady(adapter);
  return settings;
}

/** The judge that a scenario asks for; `id` says which, when it asks for several. */
export function judgeOfScenario({ scenario, relativeFile }: LoadedScenario, id: string | undefined): JudgeAssertion {
  const ids = assertionIds(scenario.assertions);
  const judges = scenarioJudges(scenario, undefined).map(({ assertion, index }) => ({
    assertion,
    id: ids[index] ?? '',
  }));
  const [first, second] = id === undefined ? judges : judges.filter((judge) => judge.id === id);
  if (first && !second) return first.assertion;
  const names = judges.map((judge) => `"${judge.id}"`).join(', ');
  throw new SalvoError(
    'JUDGE_NOT_FOUND',
    judges.length === 0
      ? `${relativeFile} has no assertion of type judge, so there is no judge to calibrate. --rubric names criteria instead.`
      : id === undefined
        ? `${relativeFile} has ${judges.length} judges (${names}): choose one with --assertion.`
        : `${relativeFile} has no judge "${id}". It has ${names}.`,
  );
}

/** The rubric of labels that all bring their own. */
export function rubricOfLabels(items: readonly LabelledItem[], file: string): readonly Criterion[] {
  const rubric = items[0]?.criteria;
  if (rubric) return rubric;
  throw new SalvoError('LABELS_WITHOUT_RUBRIC', `${file} has no criteria.`, { location: { file } });
}

/**
 * The only judge of a project that can be meant by labels: not a script, with the criteria that the labels name. Throws
 * with the commands to choose from when there are several.
 */
export function judgeOfProject(
  scenarios: readonly LoadedScenario[],
  options: {
    labels: string;
    items: readonly LabelledItem[];
    project: Project;
    models: Parameters<typeof judgesInUse>[0]['models'];
  },
): { assertion: JudgeAssertion; loaded: LoadedScenario } {
  const { labels: file, items, project, models } = options;
  const named = new Set(items.flatMap(({ labels, criteria }) => (criteria ? [] : Object.keys(labels ?? {}))));
  const asked = judgesInUse({ scenarios, project, models }).filter(({ isScript }) => !isScript);
  const fitting = asked.filter(({ assertion }) => {
    const names = assertion.criteria?.map(({ name }) => name) ?? [];
    return [...named].every((name) => names.includes(name));
  });
  const [first, second] = fitting;
  const loaded = first && scenarios.find(({ relativeFile }) => relativeFile === first.relativeFile);
  if (first && loaded && !second) return { assertion: first.assertion, loaded };
  throw new SalvoError('LABELS_WITHOUT_RUBRIC', whichJudge(file, { asked, fitting, named, scenarios }), {
    location: { file },
  });
}

const MOST_CHOICES = 5;

function whichJudge(
  file: string,
  found: {
    asked: readonly JudgeInUse[];
    fitting: readonly JudgeInUse[];
    named: ReadonlySet<string>;
    scenarios: readonly LoadedScenario[];
  },
): string {
  const { asked, fitting, named, scenarios } = found;
  const byHand = 'Name the criteria with --rubric FILE, or give every line its own "criteria".';
  if (asked.length === 0) return `${file}: by which rubric? No scenario of the project asks a judge. ${byHand}`;
  if (fitting.length === 0) {
    const criteria = some([...named].map((name) => JSON.stringify(name)));
    return `${file}: no judge of the project has the criteria of the labels (${criteria}). ${byHand}`;
  }
  const commands = fitting.slice(0, MOST_CHOICES).map(({ relativeFile, assertion }) => {
    const scenario = scenarios.find((each) => each.relativeFile === relativeFile)?.scenario;
    const index = scenario?.assertions.indexOf(assertion) ?? -1;
    const id = scenario && assertionIds(scenario.assertions)[index];
    const several = scenario && scenarioJudges(scenario, undefined).length > 1;
    return `  salvo calibrate ${shellQuote(file)} --scenario ${shellQuote(relativeFile)}${several && id ? ` --assertion ${shellQuote(id)}` : ''}`;
  });
  const rest = fitting.length - commands.length;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return [`${file}: the project has ${fitting.length} judges. Choose one:`, ...commands, ...more].join('\n');
}

function isRubric(asked: JudgeAssertion | readonly Criterion[]): asked is readonly Criterion[] {
  return Array.isArray(asked);
}
