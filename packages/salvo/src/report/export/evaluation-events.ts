import type { EvalResult } from '../../evaluators/eval-result.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { type Attributes, type OtlpEvent, otlpAttributes } from './otlp-span.ts';

/** An event for the trial, and one for each assertion: `pass`, `fail` or, without a score, `unscored`. */
export function evaluationEvents(result: TrialResult | null, timeUnixNano: string): OtlpEvent[] {
  if (result === null) return [];
  return [trialAttributes(result), ...result.eval_results.map(assertionAttributes)].map((attributes) => {
    return { timeUnixNano, name: 'gen_ai.evaluation.result', attributes: otlpAttributes(attributes) };
  });
}

function trialAttributes({ status, score, error_message, error_code }: TrialResult): Attributes {
  const label = status === 'passed' ? 'pass' : status === 'unscored' ? 'unscored' : 'fail';
  return {
    'gen_ai.evaluation.name': 'salvo.trial',
    'gen_ai.evaluation.score.value': status === 'unscored' ? null : score,
    'gen_ai.evaluation.score.label': label,
    'gen_ai.evaluation.explanation': error_message,
    'error.type': status === 'unscored' ? (error_code ?? '_OTHER') : null,
    'salvo.status': status,
  };
}

function assertionAttributes(result: EvalResult): Attributes {
  const { assertion_id, assertion_type, status, score, passed, details, weight, required } = result;
  const isScored = status === 'scored';
  return {
    'gen_ai.evaluation.name': assertion_id,
    'gen_ai.evaluation.score.value': isScored ? score : null,
    'gen_ai.evaluation.score.label': isScored ? (passed ? 'pass' : 'fail') : 'unscored',
    'gen_ai.evaluation.explanation': details,
    'error.type': isScored ? null : 'unscored',
    'salvo.assertion.type': assertion_type,
    'salvo.assertion.weight': weight,
    'salvo.assertion.required': required,
  };
}
