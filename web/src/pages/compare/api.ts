import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TrialAt } from '../../../../src/app/view/compare/changed-trials.ts';
import type { CompareView } from '../../../../src/app/view/compare/compare-view.ts';
import type { TracePairView } from '../../../../src/app/view/compare/trace-pair-view.ts';
import { getJson } from '../../api.ts';

/** The first is what the others are compared with. */
export function useComparison(sources: readonly string[]) {
  const query = new URLSearchParams(sources.map((source) => ['run', source]));
  return useQuery({
    queryKey: ['compare', ...sources],
    enabled: sources.length > 1,
    queryFn: ({ signal }) => getJson<CompareView>(`/compare?${query}`, signal),
  });
}

export function useTracePair(base: string, next: string) {
  return useQuery({
    queryKey: ['trace-pair', base, next],
    queryFn: ({ signal }) => getJson<TracePairView>(`/compare/traces?${new URLSearchParams({ base, next })}`, signal),
    placeholderData: keepPreviousData,
  });
}

export function compareHref(sources: readonly string[]): string {
  return `/compare/${sources.map(encodeURIComponent).join('/')}`;
}

export function tracesHref(base: TrialAt, next: TrialAt): string {
  return `/traces/${placeOf(base)}/with/${placeOf(next)}`;
}

export function trialHref({ run_id, scenario_index, case_index, trial_number }: TrialAt): string {
  return `/runs/${run_id}/trials/${scenario_index}/${case_index}/${trial_number}`;
}

function placeOf({ run_id, scenario_index, case_index, trial_number }: TrialAt): string {
  return `${run_id}/${scenario_index}/${case_index}/${trial_number}`;
}
