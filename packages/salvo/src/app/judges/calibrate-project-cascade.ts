import { holdsRecordedVerdicts } from '../../judge/calibration/recorded-verdicts.ts';
import { calibrateCascade, type PricedJudge } from '../../judge/cascade/calibrate-cascade.ts';
import type { CascadeCalibration } from '../../judge/cascade/cascade-calibration.ts';
import type { CascadeGoal } from '../../judge/cascade/fit-cascade.ts';
import { judgeSettings } from '../../judge/scenario-judges.ts';
import type { JudgeSettings } from '../../judge/votes/cast-vote.ts';
import { askJudges, type NamedJudge } from '../../judge/which/ask-judges.ts';
import type { AskedJudge } from '../../judge/which/compare-judges.ts';
import { labelledAnswers } from '../../judge/which/labelled-answers.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openProjectModels, type ProjectModels } from '../project/project-models.ts';
import type { CalibrateProjectJudgeOptions } from './calibrate-project-judge.ts';
import { chosenJudge, judgeOfEntry, readyJudgeSettings } from './chosen-judge.ts';
import { judgesOfFile } from './judges-file.ts';
import { type LabelsInput, readLabelsInput, readLabelsText } from './labels-input.ts';

export interface CalibrateProjectCascadeOptions extends Omit<CalibrateProjectJudgeOptions, 'judge' | 'labels'> {
  /** A JSONL or CSV file of labelled answers. */
  labels: string;
  /** How often the cascade has to agree with people: above 0.5, below 1. Either this or `cost`. */
  agreement?: number | undefined;
  /** What a verdict may cost on average, in US dollars. */
  cost?: number | undefined;
}

/**
 * Chooses `sure` for the stages of a cascade by labels: those of the scenario or the rubric, or the judges of a file in
 * their order. Nothing is stored but votes, which other calibrations by the same labels find in the cache.
 */
export async function calibrateProjectCascade(options: CalibrateProjectCascadeOptions): Promise<CascadeCalibration> {
  const { cwd = process.cwd(), env = process.env, labels: file, onEvent = () => {} } = options;
  const goal = goalOf(options);
  const project = await loadProject(cwd);
  const text = await readLabelsText(file, { cwd, signal: options.stop });
  if (holdsRecordedVerdicts(text)) {
    const message = `${file} has verdicts that a judge has given ("human"), and no judge is asked: a cascade needs answers.`;
    throw new SalvoError('OPTIONS_INVALID', message, { location: { file } });
  }
  await using services = await openProjectModels({ project, env, cache: options.judgeCache });
  const { asked, scenario, items } = await readLabelsInput(text, { options, project, cwd, models: services.models });
  const { stages, people } = await stagesOf(asked, { options, services, cwd });
  if ('usd' in goal && people) {
    const message = '{option:cost} says nothing of people, who have no price: give {option:agreement} instead.';
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const [{ criteria, threshold } = { criteria: [], threshold: 0 }] = stages.map(({ settings }) => settings);
  const { answers, notes } = labelledAnswers(items, { criteria, threshold, file });
  const called = stages.flatMap(({ settings }) => settings.judges.map((judge) => ({ ...judge, file })));
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  onEvent({ type: 'judging_started', total: answers.length * stages.length });
  const verdicts = await askJudges(stages, answers, {
    models: services.models,
    cache: services.voteCache,
    scenario,
    concurrency: project.config.concurrency,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent,
  });
  // An answer that a stage was not asked about, because of a budget or a stop, would look as if it had no verdict.
  const isJudged = (_: unknown, index: number) => verdicts.every((judge) => judge.verdicts[index] !== undefined);
  const judged = answers.filter(isJudged);
  const open = answers.length - judged.length;
  const left = open === 0 ? [] : [`${formatPlural(open, 'answer')} left out: not every stage was asked about them.`];
  const judges = await Promise.all(
    verdicts.map((judge) => priced({ ...judge, verdicts: judge.verdicts.filter(isJudged) }, services)),
  );
  const lines = items.length;
  return calibrateCascade({ answers: judged, judges, goal, people, threshold, lines, notes: [...notes, ...left] });
}

function goalOf({ agreement, cost, model, k, repeats = 1 }: CalibrateProjectCascadeOptions): CascadeGoal {
  if (model !== undefined || k !== undefined || repeats > 1) {
    const message =
      'The stages of a cascade say who is asked, and how often: leave out {option:model}, {option:k} and {option:repeats}.';
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  if ((agreement === undefined) === (cost === undefined)) {
    const message =
      'Say what "sure" is chosen for, either {option:agreement} with people, such as 95%, or {option:cost}, the US dollars that a verdict may cost.';
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  if (agreement === undefined) return { usd: cost ?? 0 };
  if (agreement > 0.5 && agreement < 1) return { agreement };
  const message = `{option:agreement} should be above 50% and below 100%: no number of labels shows that a judge always agrees.`;
  throw new SalvoError('OPTIONS_INVALID', message);
}

interface Stages {
  stages: NamedJudge[];
  people: boolean;
}

/** Each stage as a judge of its own. */
async function stagesOf(
  asked: LabelsInput['asked'],
  place: { options: CalibrateProjectCascadeOptions; services: ProjectModels; cwd: string },
): Promise<Stages> {
  const { options, services, cwd } = place;
  const { project } = services;
  const { judges: file, threshold } = options;
  if (file === undefined) {
    const assertion = chosenJudge(asked, { threshold }, { project, cwd });
    const { cascade } = judgeSettings(assertion, project.config.judge);
    if (!cascade) throw new SalvoError('OPTIONS_INVALID', NO_CASCADE);
    const settings = await readyJudgeSettings(assertion, services);
    const names = cascade.stages.map(({ judge }) => judge.model);
    return {
      people: cascade.people,
      stages: cascade.stages.map(({ judge, k }, index): NamedJudge => {
        const isTwice = names.indexOf(judge.model) !== names.lastIndexOf(judge.model);
        const own: JudgeSettings = { ...settings, cascade: undefined, judges: [judge], k };
        return { name: isTwice ? `${judge.model} (stage ${index + 1})` : judge.model, settings: own };
      }),
    };
  }
  const { judges, warnings } = await judgesOfFile(file, { project, cwd });
  if (warnings.length > 0) options.onEvent?.({ type: 'judge_warnings', warnings });
  if (judges.length < 2) {
    throw new SalvoError('OPTIONS_INVALID', `A cascade has at least two stages, and ${file} has one judge.`);
  }
  const stages: NamedJudge[] = [];
  for (const entry of judges) {
    const assertion = judgeOfEntry(asked, entry, { options: { threshold }, project, cwd });
    stages.push({ name: entry.name, settings: await readyJudgeSettings(assertion, services) });
  }
  return { stages, people: false };
}

const NO_CASCADE =
  'The judge is not a cascade. Name a scenario or a rubric that has one with {option:scenario} or {option:rubric}, or give the judges in their order with {option:judges}.';

/** With what each verdict cost. A cached one is priced by its tokens. */
async function priced(judge: AskedJudge, { models, pricing }: ProjectModels): Promise<PricedJudge> {
  const provider = models.providerName(judge.judge_adapter);
  const scored = judge.verdicts.filter((verdict) => verdict !== null && verdict !== undefined);
  const usd = await Promise.all(
    scored.map(async ({ usd: paid = null, tokens }) => {
      const { input_tokens = null, output_tokens = null } = tokens ?? {};
      if (paid !== null || input_tokens === null || output_tokens === null) return paid;
      return await pricing.priceTurn({ model: judge.judge_model, provider, usage: { input_tokens, output_tokens } });
    }),
  );
  return { ...judge, usd };
}
