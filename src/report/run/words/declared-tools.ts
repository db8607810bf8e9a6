import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { namesWhere } from './scenario-handles.ts';

/** In which scenarios verdicts on tools hold only if the user's declaration is true; null if in none. */
export function declaredToolsNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ trials_declared }) => (trials_declared ?? 0) > 0);
  return where && `Declared: in ${where}, verdicts on tools rest on tools_seen: all. Salvo did not see all calls.`;
}
