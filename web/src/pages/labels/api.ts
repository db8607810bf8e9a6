import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GivenLabel } from '../../../../src/app/view/labels/give-label.ts';
import type { AgreementSubject, LabelAgreement } from '../../../../src/app/view/labels/label-agreement.ts';
import type { LabelQueue } from '../../../../src/app/view/labels/label-queue.ts';
import type { HumanLabel } from '../../../../src/judge/calibration/human-label.ts';
import { getJson, sendJson } from '../../api.ts';

/** The name under which labels are stored, unless the person says another. */
export function usePersonName() {
  return useQuery({
    queryKey: ['labels', 'person'],
    queryFn: ({ signal }) => getJson<{ name: string }>('/labels/person', signal),
  });
}

export interface QueueAddress {
  run: string;
  scenario: number;
  assertion: string | null;
  /** Null: verdicts of judges and of other people are shown. */
  blindFor: string | null;
}

export function useQueue({ run, scenario, assertion, blindFor }: QueueAddress) {
  const query = new URLSearchParams({ run, scenario: String(scenario) });
  if (assertion !== null) query.set('assertion', assertion);
  if (blindFor !== null) query.set('blind_for', blindFor);
  return useQuery({
    queryKey: ['labels', 'queue', query.toString()],
    queryFn: ({ signal }) => getJson<LabelQueue>(`/labels/queue?${query}`, signal),
  });
}

export function useLabelsOf(traceId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['labels', 'of', traceId],
    enabled: isWanted,
    queryFn: ({ signal }) => getJson<{ labels: HumanLabel[] }>(`/labels/of/${traceId}`, signal),
  });
}

export function useAgreement({ file, scenario, assertion_id }: AgreementSubject) {
  const query = new URLSearchParams({ file, scenario });
  if (assertion_id !== null) query.set('assertion', assertion_id);
  return useQuery({
    queryKey: ['labels', 'agreement', query.toString()],
    queryFn: ({ signal }) => getJson<LabelAgreement | null>(`/labels/agreement?${query}`, signal),
  });
}

/** What changes labels. Everything that shows them is asked for again afterwards. */
export function useLabelChanges() {
  const queries = useQueryClient();
  const onSettled = () => void queries.invalidateQueries({ queryKey: ['labels'] });
  return {
    give: useMutation({
      mutationFn: (label: GivenLabel) => sendJson<HumanLabel>('POST', '/labels', label),
      onSettled,
    }),
    takeBack: useMutation({
      mutationFn: (labelId: string) => sendJson('DELETE', `/labels/${labelId}`),
      onSettled,
    }),
    keep: useMutation({
      mutationFn: (subject: AgreementSubject) => sendJson('POST', '/labels/calibrate', { ...subject }),
      onSettled,
    }),
  };
}
