import { meetsThreshold } from '../../stats/mean.ts';

/** What a judge said of an answer, and how sure it was; null if that is unknown. */
interface StageVerdict {
  passed: boolean;
  sureness: number | null;
}

/** A labelled answer with what each stage said of it. */
export interface CascadeAnswer {
  human: boolean;
  /** The case that it is of: answers of one cluster may be alike. */
  cluster: string;
  /** Null: no verdict. */
  stages: readonly (StageVerdict | null)[];
}

/**
 * From how much a stage decides. `all`: whatever reaches it, as the last judge does without people. `none`: it is left
 * out of the cascade.
 */
export type Sure = number | 'all' | 'none';

export interface CascadeVerdict {
  /** Null: no stage decided. */
  passed: boolean | null;
  /** The position of the stage that decided; null if none did. */
  decidedBy: number | null;
  /** Which stages were asked. */
  asked: number[];
}

/** What a cascade with these settings says of an answer. */
export function applyCascade(stages: CascadeAnswer['stages'], sures: readonly Sure[]): CascadeVerdict {
  const asked: number[] = [];
  for (const [index, sure] of sures.entries()) {
    if (sure === 'none') continue;
    asked.push(index);
    const verdict = stages[index];
    if (!verdict) continue;
    const isSure = verdict.sureness !== null && sure !== 'all' && meetsThreshold(verdict.sureness, sure);
    if (sure === 'all' || isSure) return { passed: verdict.passed, decidedBy: index, asked };
  }
  return { passed: null, decidedBy: null, asked };
}

/** What a verdict costs: the mean cost of each stage that was asked. Null if one is unknown. */
export function costOfVerdict({ asked }: CascadeVerdict, costs: readonly (number | null)[]): number | null {
  return asked.reduce((sum: number | null, index) => {
    const cost = costs[index] ?? null;
    return sum === null || cost === null ? null : sum + cost;
  }, 0);
}
