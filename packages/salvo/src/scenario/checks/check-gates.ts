import { isRecord } from '../../text/json/is-record.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import type { ProblemText, Report } from '../diagnostics/problem.ts';
import type { Assertion } from '../schema/assertion-schema.ts';

interface JudgeCriteria {
  id: string | undefined;
  names: string[];
}

/** Checks what the gates of a scenario refer to: criteria of its judges, and more trials than it has. */
export function checkGates(
  report: Report,
  value: Record<string, unknown>,
  { assertions, trials }: { assertions: readonly Assertion[]; trials: unknown },
): void {
  checkCriteria(report, value.min_criteria, assertions);
  if (typeof trials !== 'number') return;
  for (const key of ['min_pass_hat_k', 'min_pass_at_k']) {
    const given: readonly unknown[] = Array.isArray(value[key]) ? value[key] : [value[key]];
    for (const [index, each] of given.entries()) {
      if (!isRecord(each) || typeof each.k !== 'number' || each.k <= trials) continue;
      report({
        severity: 'warning',
        code: 'too-few-trials',
        message: `with ${trials} trials of a case, the chance for k = ${each.k} is unknown, so the scenario cannot be scored`,
        hint: `give trials: ${each.k} or more, or a smaller k`,
        path: Array.isArray(value[key]) ? [key, index, 'k'] : [key, 'k'],
      });
    }
  }
}

function checkCriteria(report: Report, given: unknown, assertions: readonly Assertion[]): void {
  if (!isRecord(given)) return;
  const judges = judgeCriteria(assertions);
  for (const [name, limit] of Object.entries(given)) {
    if (!isRecord(limit)) {
      checkCriterion(report, { name, judges, path: ['min_criteria', name] });
      continue;
    }
    const own = judges.filter(({ id }) => id === name);
    if (own.length === 0) {
      const ids = judges.flatMap(({ id }) => id ?? []);
      report({
        code: 'unknown-judge',
        message: `no judge has the id "${name}"`,
        hint: suggestion(name, ids, ids.length > 0 ? `ids of judges: ${ids.join(', ')}` : 'give the judge an id'),
        path: ['min_criteria', name],
        at: 'key',
      });
      continue;
    }
    for (const criterion of Object.keys(limit)) {
      checkCriterion(report, { name: criterion, judges: own, path: ['min_criteria', name, criterion] });
    }
  }
}

function checkCriterion(
  report: Report,
  { name, judges, path }: { name: string; judges: readonly JudgeCriteria[]; path: string[] },
): void {
  const having = judges.filter(({ names }) => names.includes(name));
  if (having.length === 1) return;
  const all = [...new Set(judges.flatMap(({ names }) => names))];
  const problem: ProblemText =
    having.length === 0
      ? {
          code: 'unknown-criterion',
          message: `no judge of the scenario has a criterion "${name}"`,
          hint: suggestion(name, all, all.length > 0 ? `criteria: ${all.join(', ')}` : 'the scenario has no judge'),
        }
      : {
          code: 'ambiguous-criterion',
          message: `${having.length} judges have a criterion "${name}"`,
          hint: `name the judge: {${having[0]?.id ?? 'ID'}: {${name}: ...}}`,
        };
  report({ ...problem, path, at: 'key' });
}

function judgeCriteria(assertions: readonly Assertion[]): JudgeCriteria[] {
  return assertions.flatMap((assertion) => {
    if (assertion.type !== 'judge') return [];
    const criteria: unknown = Reflect.get(assertion, 'criteria');
    const list: readonly unknown[] = Array.isArray(criteria) ? criteria : [];
    const names = list.flatMap((each) => (isRecord(each) && typeof each.name === 'string' ? [each.name] : []));
    return [{ id: assertion.id, names }];
  });
}
