import { hash } from 'node:crypto';
import { firstFrame } from '../../text/errors/own-stack.ts';
import type { ErrorGroup } from '../record/run-document.ts';
import { createTrialList, mergedTrials, type NameTrials, type TrialList } from './trial-list.ts';

interface TrialError {
  message: string;
  trial: { case_index: number; trial_number: number };
  code?: string | null | undefined;
  /** Where the agent's own code threw. The same message from another place is another group. */
  stack?: string | undefined;
}

interface Group {
  trials: TrialList;
  /** Null if too many other messages occurred earlier: then it is only counted. */
  texts: { message: string; stack: string | undefined } | null;
  code: string | null;
}

const MAX_MESSAGES = 20;
const MAX_LENGTH = 2000;
const MAX_STACK_LENGTH = 8000;

/**
 * Messages with how often each occurred, most frequent first. Providers put request ids into messages, so all may be
 * different: only the texts from the earliest trials are kept, and the rest is counted together. Every occurrence has
 * its text, so the outcome does not depend on the order in which trials finish.
 */
export function createErrorTally(named: NameTrials) {
  const byHash = new Map<string, Group>();
  const shown = new Set<Group>();
  return {
    add({ message, trial, code, stack }: TrialError): void {
      const place = stack === undefined ? '' : (firstFrame(stack) ?? '');
      const key = hash('sha256', `${message}\0${place}`, 'base64');
      const group = byHash.get(key) ?? { trials: createTrialList(), texts: null, code: code ?? null };
      byHash.set(key, group);
      const isFirst = group.trials.isFirst(trial);
      group.trials.add(trial);
      if (isFirst || group.texts === null) {
        group.texts = { message: message.slice(0, MAX_LENGTH), stack: stack?.slice(0, MAX_STACK_LENGTH) };
      }
      shown.add(group);
      if (shown.size > MAX_MESSAGES) dropLatest(shown);
    },
    groups(): ErrorGroup[] {
      const groups = [...shown]
        .toSorted((a, b) => b.trials.count() - a.trials.count() || a.trials.first() - b.trials.first())
        .map(({ texts, code, trials }) => ({
          message: texts?.message ?? '',
          ...(code === null ? {} : { code }),
          ...(texts?.stack === undefined ? {} : { stack: texts.stack }),
          count: trials.count(),
          ...named(trials.keys()),
        }));
      const others = [...byHash.values()].filter((group) => !shown.has(group));
      return others.length === 0 ? groups : [...groups, combined(others, named)];
    },
  };
}

function dropLatest(groups: Set<Group>): void {
  const latest = [...groups].reduce((a, b) => (b.trials.first() > a.trials.first() ? b : a));
  latest.texts = null;
  groups.delete(latest);
}

function combined(groups: Group[], named: NameTrials): ErrorGroup {
  return {
    message: `(${groups.length} other messages)`,
    count: groups.reduce((sum, group) => sum + group.trials.count(), 0),
    ...named(mergedTrials(groups.map(({ trials }) => trials))),
  };
}
