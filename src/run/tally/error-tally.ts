import { hash } from 'node:crypto';
import type { ScenarioSummary } from '../run-document.ts';
import { createTrialList, type TrialList } from './trial-list.ts';

interface ErrorTally {
  add(message: string, trialNumber: number, code?: string | null): void;
  groups(): ScenarioSummary['errors'];
}

interface ErrorGroup {
  trials: TrialList;
  /** Null if too many other messages occurred earlier: then it is only counted. */
  message: string | null;
  code: string | null;
}

const MAX_MESSAGES = 20;
const MAX_LENGTH = 2000;

/**
 * Messages with how often each occurred, most frequent first. Providers put request ids into messages, so all may be
 * different: only the texts from the earliest trials are kept, and the rest is counted together. Every occurrence has
 * its text, so the outcome does not depend on the order in which trials finish.
 */
export function createErrorTally(): ErrorTally {
  const byHash = new Map<string, ErrorGroup>();
  const shown = new Set<ErrorGroup>();
  return {
    add(message, trialNumber, code) {
      const key = hash('sha256', message, 'base64');
      const group = byHash.get(key) ?? { trials: createTrialList(), message: null, code: code ?? null };
      byHash.set(key, group);
      group.trials.add(trialNumber);
      group.message = message.slice(0, MAX_LENGTH);
      shown.add(group);
      if (shown.size > MAX_MESSAGES) dropLatest(shown);
    },
    groups() {
      const groups = [...shown]
        .toSorted((a, b) => b.trials.count() - a.trials.count() || a.trials.first() - b.trials.first())
        .map(({ message, code, trials }) => ({
          message: message ?? '',
          ...(code === null ? {} : { code }),
          count: trials.count(),
          trial_numbers: trials.numbers(),
        }));
      const others = [...byHash.values()].filter((group) => !shown.has(group));
      if (others.length > 0) groups.push(combined(others));
      return groups;
    },
  };
}

function dropLatest(groups: Set<ErrorGroup>): void {
  const latest = [...groups].reduce((a, b) => (b.trials.first() > a.trials.first() ? b : a));
  latest.message = null;
  groups.delete(latest);
}

function combined(groups: ErrorGroup[]): ScenarioSummary['errors'][number] {
  const trials = createTrialList();
  for (const group of groups) for (const number of group.trials.numbers()) trials.add(number);
  return {
    message: `(${groups.length} other messages)`,
    count: groups.reduce((sum, group) => sum + group.trials.count(), 0),
    trial_numbers: trials.numbers(),
  };
}
