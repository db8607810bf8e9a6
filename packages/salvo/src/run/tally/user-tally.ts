import type { TrialResult } from '../../trial/trial-result.ts';
import type { ScenarioSummary } from '../record/run-document.ts';

/** Counts the trials with a simulated user, and those in which it broke its role. */
export function createUserTally() {
  let trials = 0;
  let broke = 0;
  const kinds: Record<string, number> = {};
  return {
    add({ simulated_user: user }: TrialResult): void {
      if (!user) return;
      trials += 1;
      if (user.broke_role === null) return;
      broke += 1;
      kinds[user.broke_role] = (kinds[user.broke_role] ?? 0) + 1;
    },
    summary(): Pick<ScenarioSummary, 'simulated_users'> {
      if (trials === 0) return {};
      // In a fixed order, whatever the order of the trials was.
      const sorted = Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1)));
      return { simulated_users: { trials, broke_role: broke, kinds: sorted } };
    },
  };
}
