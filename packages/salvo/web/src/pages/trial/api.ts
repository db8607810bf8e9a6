import { useMemo } from 'react';
import { at } from '../../../../src/app/view/address-parts.ts';
import { nextOffset, useAnswer, useEveryPage, usePages } from '../../api.ts';
import { api } from '../../client.ts';

export interface TrialAddress {
  run: string;
  scenario: string;
  case: string;
  trial: string;
}

export function useTrial({ run, scenario, case: caseIndex, trial }: TrialAddress) {
  const place = at({ run, scenario, case: caseIndex, trial });
  return useAnswer(['trial', run, scenario, caseIndex, trial], (options) =>
    api.runs[':run'].trials[':scenario'][':case'][':trial'].$get(place, options),
  );
}

export function useTrace(trace: string) {
  return useAnswer(['trace', trace], (options) => api.traces[':trace'].$get(at({ trace }), options));
}

/** The scenario that a trace becomes. `why` says what was wrong; nothing was if it is empty. */
export function useScenario(trace: string, why: string) {
  return useAnswer(['scenario', trace, why], (options) =>
    api.traces[':trace'].scenario.$get({ ...at({ trace }), query: why === '' ? {} : { failed: why } }, options),
  );
}

/** A trace is stored once and never changes. */
const NEVER_CHANGES = { staleTime: Number.POSITIVE_INFINITY, meta: { neverChanges: true } };

/** All messages of a trace, loaded page by page: the first ones, while the others are on the way. */
export function useMessages(trace: string) {
  const pages = usePages(['messages', trace], {
    ...NEVER_CHANGES,
    request: (query, options) => api.traces[':trace'].messages.$get({ ...at({ trace }), query }, options),
    next: ({ total }, all) => nextOffset(total, all, ({ messages }) => messages.length),
  });
  useEveryPage(pages);
  const messages = useMemo(() => pages.data?.pages.flatMap((page) => page.messages) ?? [], [pages.data]);
  return { messages, isPending: pages.isPending, problem: pages.error?.message ?? null };
}

/** A message with its whole texts. */
export function useWholeMessage(trace: string, index: number, isWanted: boolean) {
  return useAnswer(
    ['message', trace, index],
    (options) => api.traces[':trace'].messages[':index'].$get(at({ trace, index }), options),
    { ...NEVER_CHANGES, enabled: isWanted },
  );
}
