import type { CodeNode, Spot } from '../../../iac/read/code-node.ts';

/** What a check comes to. An unknown value is no finding, and no reassurance either. */
export type Verdict =
  | { result: 'good' }
  | { result: 'unknown' }
  | {
      result: 'bad';
      spot: Spot;
      /** The path of what is wrong or missing; null when it is the block as such. */
      attribute: string | null;
      /** "storage_encrypted is false". */
      detail: string;
      /** Other blocks that the flaw stands in: the document that a policy refers to. */
      involves?: string[];
      /** Nothing is written that could be pointed at. */
      isMissing?: boolean;
    };

export const GOOD: Verdict = { result: 'good' };
export const UNKNOWN: Verdict = { result: 'unknown' };

/** Everything must be good: the first that is bad counts, and then what is unknown. */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let isUnknown = false;
  for (const verdict of verdicts) {
    if (verdict.result === 'bad') return verdict;
    isUnknown ||= verdict.result === 'unknown';
  }
  return isUnknown ? UNKNOWN : GOOD;
}

/** One good is enough. When all are bad, one that points at what is written says more than one that misses something. */
export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.some(({ result }) => result === 'good')) return GOOD;
  if (verdicts.some(({ result }) => result === 'unknown')) return UNKNOWN;
  const bad = verdicts.filter((verdict) => verdict.result === 'bad');
  return bad.find(({ isMissing }) => isMissing !== true) ?? bad[0] ?? GOOD;
}

export function missingAt(node: CodeNode, attribute: string): Verdict {
  return { result: 'bad', spot: node.spot, attribute, detail: `${attribute} is missing`, isMissing: true };
}

export function badAt(node: CodeNode, attribute: string, detail: string): Verdict {
  return { result: 'bad', spot: node.spot, attribute, detail };
}
