import { readShare } from '../../text/share.ts';
import type { ProblemText, Report } from '../diagnostics/problem.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { furtherGatesSchema } from '../schema/gate-schema.ts';

type Warning = ProblemText & { severity: 'warning' };

/** With a threshold of 0 a score decides nothing. Null unless that lets every trial pass. */
export function thresholdWarning(threshold: unknown, assertions: readonly Assertion[]): Warning | null {
  const decides = ({ required, type, weight }: Assertion) => required || (type === 'judge' && weight > 0);
  if (readShare(threshold) !== 0 || assertions.length === 0 || assertions.some(decides)) return null;
  return {
    severity: 'warning',
    code: 'always-passes',
    message: 'every trial passes, because every score is at least 0',
    hint: 'remove the threshold, so that every assertion has to pass; give one above 0; or make an assertion required',
  };
}

/** With a minimum pass rate of 0 the trials decide nothing, unless there is another gate. */
export function checkPassRate(
  report: Report,
  value: Record<string, unknown>,
  { assertions, path = [] }: { assertions: readonly Assertion[]; path?: readonly string[] },
): void {
  const hasMinScore = value.min_score !== undefined && readShare(value.min_score) !== 0;
  const hasGate = hasMinScore || FURTHER_GATES.some((key) => value[key] !== undefined);
  if (readShare(value.min_pass_rate) !== 0 || hasGate || assertions.some(({ required }) => required)) return;
  report({
    severity: 'warning',
    code: 'always-passes',
    message: 'the scenario passes even if no trial does, because every pass rate is at least 0',
    hint: 'give a min_pass_rate above 0, or a min_score',
    path: [...path, 'min_pass_rate'],
  });
}

const FURTHER_GATES = furtherGatesSchema.keyof().options;

/** The same for `defaults` of salvo.yaml, where the assertions are not known. */
export function checkDefaultMinimums(report: Report, defaults: Record<string, unknown>): void {
  if (readShare(defaults.threshold) === 0) {
    report({
      severity: 'warning',
      code: 'always-passes',
      message: 'every trial without a judge or a required assertion passes, because every score is at least 0',
      hint: 'remove the threshold, so that every assertion has to pass, or give one above 0',
      path: ['defaults', 'threshold'],
    });
  }
  checkPassRate(report, defaults, { assertions: [], path: ['defaults'] });
}
