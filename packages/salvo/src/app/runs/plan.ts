import { knownTrials } from '../../run/plan/known-trials.ts';
import type {
  KnownTrials,
  Plan,
  PlanAnswer,
  PlannedSize,
  Question,
  ScenarioPlan,
  TogetherPlan,
} from '../../run/plan/plan.ts';
import { planScenario, planTogether, WORST_CASE } from '../../run/plan/plan-scenario.ts';
import { countedCases, plannedCases } from '../../run/record/planned-cases.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { UntilPlanOptions } from '../compare/plan-until.ts';
import { openStoreIfAny, type Workplace } from '../project/open-project.ts';
import { chooseEntries, namedCandidate } from '../selection/choose-entries.ts';
import type { RunFilesOptions } from './run-options.ts';

export interface PlanOptions
  extends Workplace,
    Pick<RunFilesOptions, 'files' | 'adapter' | 'model' | 'concurrency' | 'holdout'>,
    UntilPlanOptions {
  /** The change of the pass rate that two runs are to show, from 0 to 1. 0.1 if neither this nor `precision` is given. */
  effect?: number | undefined;
  /** How far the 95% interval of the pass rate may reach to either side, from 0 to 1. */
  precision?: number | undefined;
  /** How often the change is to be found, from 0.5 to 0.99. 0.8 if not given. */
  power?: number | undefined;
}

const DEFAULT_EFFECT = 0.1;
const DEFAULT_POWER = 0.8;

/** Plans runs of scenarios by what stored runs say about them. Nothing is called and nothing is stored. */
export async function planRuns(options: PlanOptions = {}): Promise<Plan> {
  const { cwd = process.cwd(), env = process.env, files } = options;
  const questions = questionsOf(options);
  const project = await loadProject(cwd);
  const { concurrency = project.config.concurrency } = options;
  const { chosen } = await chooseEntries({ options, project, cwd, files, holdout: options.holdout });
  await using opened = await openStoreIfAny(project, { env });
  const now = new Date().toISOString();
  const scenarios: ScenarioPlan[] = [];
  for (const entry of chosen) {
    const { scenario, relativeFile: file } = entry.loaded;
    const planned = plannedCases(scenario, { options: { trials: null }, chosen: entry.cases });
    const { counted } = countedCases(planned, now);
    const [first] = counted;
    const identity = { name: scenario.name, file, ...namedCandidate(entry, project) };
    const known = opened.store ? await knownTrials(opened.store, identity) : null;
    const isOneDraw = known?.one_draw ?? false;
    const design = { cases: counted.length, trials: first?.trials ?? 1, scenarios: chosen.length, isOneDraw };
    const facts = known?.facts ?? WORST_CASE;
    scenarios.push({
      ...identity,
      cases: counted.length,
      known,
      answers: questions.map((question) =>
        priced(planScenario(question, { facts, ...design }), { cases: counted.length, known, concurrency }),
      ),
    });
  }
  const totals = questions.map((question, index) => {
    const answers = scenarios.flatMap(({ answers: all }) => all[index] ?? []);
    const sum = (of: 'trials' | 'cost_usd' | 'seconds') => sumOrUnknown(answers.map((answer) => answer[of]));
    const together = question.kind === 'effect' ? togetherPlan(question, scenarios, concurrency) : null;
    return { question, trials: sum('trials'), cost_usd: sum('cost_usd'), seconds: sum('seconds'), together };
  });
  if (!asksUntil(options)) return { concurrency, scenarios, totals };
  const { planUntilDecided } = await import('../compare/plan-until.ts');
  return { concurrency, scenarios, totals, until: await planUntilDecided(chosen, options, { project, cwd, env }) };
}

function asksUntil({ until, against, maxTrials, maxDrop, gate, evidence }: PlanOptions): boolean {
  return [until, against, maxTrials, maxDrop, gate, evidence].some((each) => each !== undefined);
}

function questionsOf(options: PlanOptions): Question[] {
  const { effect, precision, power = DEFAULT_POWER } = options;
  const isSize = (size: number) => size > 0 && size <= 1;
  if (!(power >= 0.5 && power <= 0.99)) {
    throw new SalvoError('OPTIONS_INVALID', `A power is a share from 50% to 99%, not ${power}.`);
  }
  for (const size of [effect, precision]) {
    if (size !== undefined && !isSize(size)) {
      throw new SalvoError('OPTIONS_INVALID', `A difference to plan for is more than 0 and at most 100%, not ${size}.`);
    }
  }
  const size = effect ?? (precision === undefined && !asksUntil(options) ? DEFAULT_EFFECT : undefined);
  return [
    ...(size === undefined ? [] : [{ kind: 'effect' as const, size, power }]),
    ...(precision === undefined ? [] : [{ kind: 'precision' as const, size: precision }]),
  ];
}

function togetherPlan(
  question: { size: number; power: number },
  scenarios: readonly ScenarioPlan[],
  concurrency: number,
): TogetherPlan | null {
  const planned = scenarios.filter(({ cases }) => cases > 0);
  if (planned.length < 2) return null;
  const trials_per_case = planTogether(
    question,
    planned.map(({ known, cases }) => ({ facts: known?.facts ?? WORST_CASE, cases, isOneDraw: known?.one_draw })),
  );
  const sizes = planned.map(({ known, cases }) =>
    priced({ trials_per_case, cases_needed: null, trials_each: 1 }, { cases, known, concurrency }),
  );
  const sum = (of: 'trials' | 'cost_usd' | 'seconds') => sumOrUnknown(sizes.map((each) => each[of]));
  return { trials_per_case, trials: sum('trials'), cost_usd: sum('cost_usd'), seconds: sum('seconds') };
}

function costPerTrial({ agent_usd, judges_usd, users_usd = 0 }: KnownTrials): number | null {
  return sumOrUnknown([agent_usd, judges_usd, users_usd]);
}

/** Where more trials do not help, the plan is for more cases. */
function priced<Answer extends Omit<PlanAnswer, 'question'>>(
  answer: Answer,
  { cases, known, concurrency }: { cases: number; known: KnownTrials | null; concurrency: number },
): Answer & PlannedSize {
  const { trials_per_case, cases_needed, trials_each } = answer;
  const trials =
    trials_per_case === null ? (cases_needed === null ? null : cases_needed * trials_each) : trials_per_case * cases;
  const perTrial = known && costPerTrial(known);
  return {
    ...answer,
    trials,
    cost_usd: trials === null || perTrial === null ? null : trials * perTrial,
    seconds: trials === null || known?.seconds == null ? null : (trials * known.seconds) / concurrency,
  };
}
