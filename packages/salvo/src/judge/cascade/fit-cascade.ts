import { clusterRate } from '../../stats/agreement/cluster-rate.ts';
import { correctedWilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { normalQuantile } from '../../stats/normal.ts';
import { applyCascade, type CascadeAnswer, costOfVerdict, type Sure } from './apply-cascade.ts';

/** What `sure` is chosen for: an agreement with people, or a cost of a verdict in US dollars. */
export type CascadeGoal = { agreement: number } | { usd: number };

export interface FitOptions {
  goal: CascadeGoal;
  /** The mean cost of a verdict of each stage; null if it is unknown. */
  costs: readonly (number | null)[];
  /** Whether people decide what no judge does: then the last judge needs a `sure`, too. */
  people: boolean;
}

/** The chance that the agreement on new answers is below the goal. */
const MISS = 0.1;
/** Levels of `sure` that are tried for each stage: fewer if there are many combinations. */
const MOST_LEVELS = 20;
const MOST_COMBINATIONS = 10_000;

/**
 * Chooses from how much each stage decides. Null if no choice reaches the goal on these labels.
 *
 * For an agreement: the stages in order, each from the highest level downwards, as long as the lower bound of the
 * agreement with people stays above the goal (fixed sequence testing, as in Learn then Test, Angelopoulos et al. 2021, and
 * in Trust or Escalate, Jung et al. 2025). For a cost: of all combinations that are cheap enough, the one that agrees most
 * often.
 */
export function fitCascade(answers: readonly CascadeAnswer[], options: FitOptions): Sure[] | null {
  const count = answers[0]?.stages.length ?? 0;
  const { goal, people } = options;
  if (count === 0 || ('usd' in goal && options.costs.includes(null))) return null;
  const fitted = people ? count : count - 1;
  const most = Math.max(2, Math.min(MOST_LEVELS, Math.floor(MOST_COMBINATIONS ** (1 / Math.max(1, fitted)))));
  const levels = Array.from({ length: fitted }, (_, stage) => levelsOf(answers, stage, most));
  const last: Sure[] = people ? [] : ['all'];
  return 'usd' in goal
    ? cheapEnough(answers, { ...options, levels, last })
    : agreeing(answers, { ...options, levels, last });
}

interface Levels {
  /** By stage, the highest first. */
  levels: readonly (readonly number[])[];
  last: readonly Sure[];
}

/** By how sure the stage was, whatever people said: so that the choice of levels tells nothing about the labels. */
function levelsOf(answers: readonly CascadeAnswer[], stage: number, most: number): number[] {
  const said = answers.flatMap(({ stages }) => stages[stage]?.sureness ?? []).sort((a, b) => b - a);
  const levels = new Set<number>();
  for (let step = 0; step < most; step += 1) {
    const value = said[Math.max(0, Math.min(said.length - 1, Math.floor(((step + 1) * said.length) / most) - 1))];
    if (value !== undefined) levels.add(Math.max(LOWEST, Math.floor(1000 * value + 1e-6) / 1000));
  }
  return [...levels];
}

/** `sure` is above 0.5. */
const LOWEST = 0.501;

function agreeing(answers: readonly CascadeAnswer[], options: FitOptions & Levels): Sure[] | null {
  const { goal, levels, last, people } = options;
  const target = 'agreement' in goal ? goal.agreement : 0;
  // Each stage is a sequence of tests of its own.
  const z = normalQuantile(MISS / levels.length);
  const sures: Sure[] = [...levels.map((): Sure => 'none'), ...last];
  if (!people && lowerBound(answers, sures, z).bound < target) return null;
  for (const [stage, ofStage] of levels.entries()) {
    for (const level of ofStage) {
      const tried = sures.with(stage, level);
      const { bound, best } = lowerBound(answers, tried, z);
      // Too few answers are decided to tell, whatever people said of them.
      if (best < target) continue;
      if (bound < target) break;
      sures[stage] = level;
    }
    if (!people && costsMore(answers, sures, { stage, costs: options.costs })) sures[stage] = 'none';
  }
  return sures.some((sure) => sure !== 'none') ? sures : null;
}

/** The lower bound of the agreement with people where a judge decides, and what it would be if all agreed. */
function lowerBound(
  answers: readonly CascadeAnswer[],
  sures: readonly Sure[],
  z: number,
): { bound: number; best: number } {
  const decided = answers.flatMap(({ human, cluster, stages }) => {
    const { passed } = applyCascade(stages, sures);
    return passed === null ? [] : [{ cluster, isTrue: passed === human }];
  });
  const boundOf = (items: typeof decided): number => {
    const found = clusterRate(items);
    if (!found) return 0;
    return correctedWilsonInterval({ passed: found.rate * found.worth, total: found.worth }, z)?.[0] ?? 0;
  };
  return { bound: boundOf(decided), best: boundOf(decided.map((each) => ({ ...each, isTrue: true }))) };
}

/** Whether a stage costs more than it saves. */
function costsMore(
  answers: readonly CascadeAnswer[],
  sures: readonly Sure[],
  { stage, costs }: { stage: number; costs: FitOptions['costs'] },
): boolean {
  const [own, without] = [sures, sures.with(stage, 'none')].map((each) => meanCost(answers, each, costs));
  return own !== null && without !== null && own !== undefined && without !== undefined && own > without;
}

/** What a verdict costs on average; null if that is unknown. */
function meanCost(
  answers: readonly CascadeAnswer[],
  sures: readonly Sure[],
  costs: FitOptions['costs'],
): number | null {
  const each = answers.flatMap(({ stages }) => costOfVerdict(applyCascade(stages, sures), costs) ?? []);
  return each.length < answers.length ? null : mean(each);
}

function cheapEnough(answers: readonly CascadeAnswer[], options: FitOptions & Levels): Sure[] | null {
  const { goal, levels, last, costs } = options;
  const most = 'usd' in goal ? goal.usd : 0;
  let best: { sures: Sure[]; agreed: number; usd: number } | null = null;
  for (const sures of combinations(levels.map((ofStage): Sure[] => ['none', ...ofStage]))) {
    const tried = [...sures, ...last];
    const usd = meanCost(answers, tried, costs);
    if (usd === null || usd > most) continue;
    const agreed = answers.filter(({ human, stages }) => applyCascade(stages, tried).passed === human).length;
    if (!best || agreed > best.agreed || (agreed === best.agreed && usd < best.usd))
      best = { sures: tried, agreed, usd };
  }
  return best?.sures ?? null;
}

function combinations(choices: readonly (readonly Sure[])[]): Sure[][] {
  return choices.reduce<Sure[][]>((all, own) => all.flatMap((before) => own.map((each) => [...before, each])), [[]]);
}
