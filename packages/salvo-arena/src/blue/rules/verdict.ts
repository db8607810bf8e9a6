import { readPath } from '../../iac/read/attribute-path.ts';
import type { CodeNode, Spot } from '../../iac/read/code-node.ts';

/** The result of a check. With an unknown value there is no finding, but the block does not pass either. */
export type Verdict =
  | { result: 'good' }
  | { result: 'unknown' }
  | {
      result: 'bad';
      spot: Spot;
      /** The path of what is wrong or missing; null when it is the block itself. */
      attribute: string | null;
      /** "storage_encrypted is false". */
      detail: string;
      /** The block that the flaw is in, if it is not the one that was checked: the settings of a bucket. */
      owner?: string;
      /** Other blocks that contain the flaw: the document of a policy. */
      involves?: string[];
      /** The flaw is something missing, so there is no line to point at. */
      isMissing?: boolean;
    };

export const GOOD: Verdict = { result: 'good' };
export const UNKNOWN: Verdict = { result: 'unknown' };

/** Good if all are. Otherwise the first bad one, or unknown if none is bad. */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let isUnknown = false;
  for (const verdict of verdicts) {
    if (verdict.result === 'bad') return verdict;
    isUnknown ||= verdict.result === 'unknown';
  }
  return isUnknown ? UNKNOWN : GOOD;
}

/** Of all that a path leads to. What is missing is good. */
export function allAt(node: CodeNode, path: string, judge: (found: CodeNode) => Verdict): Verdict {
  return allOf(
    readPath(node, path).map(({ state, node: found }) => {
      if (state === 'missing') return GOOD;
      return state === 'unknown' ? UNKNOWN : judge(found);
    }),
  );
}

/** Good if one is. If all are bad, one that points at existing code is preferred, then one about a companion. */
export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.some(({ result }) => result === 'good')) return GOOD;
  if (verdicts.some(({ result }) => result === 'unknown')) return UNKNOWN;
  const bad = verdicts.filter((verdict) => verdict.result === 'bad');
  return (
    bad.find(({ isMissing }) => isMissing !== true) ?? bad.find(({ owner }) => owner !== undefined) ?? bad[0] ?? GOOD
  );
}

export function missingAt(node: CodeNode, attribute: string): Verdict {
  return { result: 'bad', spot: node.spot, attribute, detail: `${attribute} is missing`, isMissing: true };
}

export function badAt(node: CodeNode, attribute: string, detail: string): Verdict {
  return { result: 'bad', spot: node.spot, attribute, detail };
}
