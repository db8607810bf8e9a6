import { relative } from 'node:path';
import { namedAssertions } from '../../evaluators/assertion-ids.ts';
import type { LabelledItem } from '../../judge/calibration/calibration-labels.ts';
import { type JudgeInUse, judgesInUse } from '../../judge/calibration/judges-in-use.ts';
import { type JudgeAssertion, judgeSettings, scenarioJudges } from '../../judge/scenario-judges.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import type { Rubric } from '../../scenario/checks/inspect-rubric.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { ASSERTION_SCHEMAS } from '../../scenario/schema/assertion-schema.ts';
import type { Criterion } from '../../scenario/schema/criterion-schema.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { some } from '../../text/words/value-words.ts';
import type { ProjectModels } from '../project/project-models.ts';
import { adapterFromFolder } from '../selection/candidates.ts';
import type { JudgeEntry } from './judges-file.ts';

/** How a user chooses a judge. */
export interface JudgeOptions {
  /** Its adapter; with `judges`: its name in that file. */
  judge?: string | undefined;
  /** A file of judges: `[{ name, adapter, model, mode, k }]`. */
  judges?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  threshold?: number | undefined;
}

/** What there is to say about a choice before anything is judged. */
export type JudgeChoiceEvent =
  /** About the file of judges. */
  | { type: 'judge_warnings'; warnings: Diagnostic[] }
  /** `k` of the options is more than 1, and the judge is a decision model, which votes once. */
  | { type: 'needless_votes'; k: number };

/** The judge that the user chose, in the form of a scenario's assertion. `cwd` is where the user chose it. */
export async function judgeByOptions(
  asked: JudgeAssertion | readonly Criterion[],
  options: JudgeOptions,
  place: { project: Project; cwd: string; onEvent: (event: JudgeChoiceEvent) => void },
): Promise<JudgeAssertion> {
  const assertion = await assertionByOptions(asked, options, place);
  const { k = 1 } = options;
  if (k > judgeSettings(assertion, place.project.config.judge).k) place.onEvent({ type: 'needless_votes', k });
  return assertion;
}

async function assertionByOptions(
  asked: JudgeAssertion | readonly Criterion[],
  { judges: file, ...options }: JudgeOptions,
  place: Parameters<typeof judgeByOptions>[2],
): Promise<JudgeAssertion> {
  if (file === undefined) return chosenJudge(asked, options, place);
  if (options.model !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', `{option:judges} names the model of each judge: leave out {option:model}.`);
  }
  const { judge: name, ...others } = options;
  const { judgeOfFile } = await import('./judges-file.ts');
  const { entry, warnings } = await judgeOfFile(file, { name, ...place });
  if (warnings.length > 0) place.onEvent({ type: 'judge_warnings', warnings });
  return judgeOfEntry(asked, entry, { ...place, options: others });
}

/** A judge of a file of judges. Options win over what the file says. */
export function judgeOfEntry(
  asked: JudgeAssertion | readonly Criterion[],
  entry: JudgeEntry,
  { options, ...place }: { options: Pick<JudgeOptions, 'k' | 'threshold'>; project: Project; cwd: string },
): JudgeAssertion {
  const { k = entry.k, threshold } = options;
  const assertion = chosenJudge(asked, { model: entry.model, k, threshold }, place);
  return { ...assertion, judge_adapter: entry.adapter ?? assertion.judge_adapter, mode: entry.mode ?? 'chat' };
}

/** A judge by a rubric alone. */
export function judgeByRubric({ criteria, mode, cascade }: Rubric): JudgeAssertion {
  return ASSERTION_SCHEMAS.judge.parse({ type: 'judge', criteria, mode, cascade });
}

/** Like `judgeByOptions`, without a file of judges. */
export function chosenJudge(
  asked: JudgeAssertion | readonly Criterion[],
  options: Omit<JudgeOptions, 'judges'>,
  place: { project: Project; cwd: string },
): JudgeAssertion {
  const assertion = isRubric(asked) ? judgeByRubric({ criteria: [...asked] }) : asked;
  const { model } = options;
  const judge = options.judge === undefined ? undefined : adapterFromFolder(options.judge, place);
  const isNamed = judge !== undefined || model !== undefined;
  if (options.k !== undefined && assertion.cascade && !isNamed) {
    throw new SalvoError('OPTIONS_INVALID', 'The judge is a cascade, whose stages say k: leave out {option:k}.');
  }
  return {
    ...assertion,
    judge_adapter: judge ?? assertion.judge_adapter,
    judge_model: model ?? assertion.judge_model,
    // A judge that is named replaces a panel or a cascade.
    judges: isNamed ? undefined : assertion.judges,
    cascade: isNamed ? undefined : assertion.cascade,
    k: options.k ?? assertion.k,
    threshold: options.threshold ?? assertion.threshold,
  };
}

/** What an assertion asks of its judges. Throws when one cannot be called, which would leave everything unscored. */
export async function readyJudgeSettings(
  assertion: JudgeAssertion,
  { project, checkReady }: ProjectModels,
): Promise<ReturnType<typeof judgeSettings>> {
  const settings = judgeSettings(assertion, project.config.judge);
  for (const { adapter } of settings.judges) await checkReady(adapter);
  return settings;
}

/** The judge that a scenario asks for; `id` says which, when it asks for several. */
export function judgeOfScenario({ scenario, relativeFile }: LoadedScenario, id: string | undefined): JudgeAssertion {
  const judges = scenarioJudges({ assertions: namedAssertions(scenario) }, undefined).map(({ assertion }) => ({
    assertion,
    id: assertion.id ?? '',
  }));
  const [first, second] = id === undefined ? judges : judges.filter((judge) => judge.id === id);
  if (first && !second) return first.assertion;
  const names = judges.map((judge) => `"${judge.id}"`).join(', ');
  throw new SalvoError(
    'JUDGE_UNKNOWN',
    judges.length === 0
      ? `${relativeFile} has no assertion of type judge, so there is no judge to calibrate. {option:rubric} names criteria instead.`
      : id === undefined
        ? `${relativeFile} has ${judges.length} judges (${names}): choose one with {option:assertion}.`
        : `${relativeFile} has no judge "${id}". It has ${names}.`,
  );
}

/** The rubric of labels that all bring their own; null when one does not. */
export function rubricOfLabels(items: readonly LabelledItem[]): readonly Criterion[] | null {
  return items.every(({ criteria }) => criteria !== null) ? (items[0]?.criteria ?? null) : null;
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
    /** Where the commands would be given. */
    cwd: string;
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
  // Of a single judge that does not fit, the labels are wrong: reading them by its criteria says where.
  const [first, second] = fitting.length === 0 && asked.length === 1 ? asked : fitting;
  const loaded = first && scenarios.find(({ relativeFile }) => relativeFile === first.relativeFile);
  if (first && loaded && !second) return { assertion: first.assertion, loaded };
  const line = items.find(({ criteria }) => criteria === null)?.line ?? 1;
  throw new SalvoError(
    'CRITERIA_MISSING',
    `${file}:${line}: ${whichJudge({ ...options, asked, fitting, named, scenarios })}`,
    {
      location: { file, line },
    },
  );
}

const MOST_CHOICES = 5;

function whichJudge(found: {
  labels: string;
  cwd: string;
  asked: readonly JudgeInUse[];
  fitting: readonly JudgeInUse[];
  named: ReadonlySet<string>;
  scenarios: readonly LoadedScenario[];
}): string {
  const { asked, fitting, named, scenarios } = found;
  const byHand = 'Name the criteria with {option:rubric}, or give every line its own "criteria".';
  if (asked.length === 0) return `by which rubric? No scenario of the project asks a judge. ${byHand}`;
  if (fitting.length === 0) {
    const criteria = some([...named].map((name) => JSON.stringify(name)));
    return `no judge of the project has the criteria of the labels (${criteria}). ${byHand}`;
  }
  const commands = fitting.slice(0, MOST_CHOICES).map(({ relativeFile, assertion }) => {
    const loaded = scenarios.find((each) => each.relativeFile === relativeFile);
    const named = loaded ? namedAssertions(loaded.scenario) : [];
    const id = loaded && named[everyAssertion(loaded.scenario).indexOf(assertion)]?.id;
    const isOneOfSeveral = scenarioJudges({ assertions: named }, undefined).length > 1;
    return [
      `  ${salvoCommand()} calibrate ${shellQuote(found.labels)}`,
      `--scenario ${shellQuote(loaded ? relative(found.cwd, loaded.file) : relativeFile)}`,
      ...(isOneOfSeveral && id !== undefined ? [`--assertion ${shellQuote(id)}`] : []),
    ].join(' ');
  });
  const rest = fitting.length - commands.length;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return [`the project has ${fitting.length} judges. Choose one:`, ...commands, ...more].join('\n');
}

function isRubric(asked: JudgeAssertion | readonly Criterion[]): asked is readonly Criterion[] {
  return Array.isArray(asked);
}
