import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { namesWhere } from './scenario-handles.ts';

/** Which other models than those that were asked for answered; null if none did. */
export function answeredByNote(scenarios: readonly ScenarioSummary[]): string | null {
  const pairs = new Set(
    scenarios.flatMap(({ model, answered_by }) =>
      (answered_by ?? []).map((by) => `${safeLine(by, 80)} for ${safeLine(model, 80)}`),
    ),
  );
  if (pairs.size === 0) return null;
  return `Another model answered: ${[...pairs].join(', ')}. Costs follow the model that answered, if its price is known.`;
}

/** In which scenarios verdicts on tools hold only if the user's declaration is true; null if in none. */
export function declaredToolsNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ trials_declared }) => (trials_declared ?? 0) > 0);
  return where && `Declared: in ${where}, verdicts on tools rest on tools_seen: all. Salvo did not see all calls.`;
}
