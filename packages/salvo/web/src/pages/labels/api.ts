import { useMutation, useQueryClient } from '@tanstack/react-query';
import { at } from '../../../../src/app/view/address-parts.ts';
import type { GivenLabel } from '../../../../src/app/view/labels/give-label.ts';
import type { AgreementSubject } from '../../../../src/app/view/labels/label-agreement.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';

/** The name under which labels are stored, unless the person says another. */
export function usePersonName() {
  return useAnswer(['labels', 'person'], (options) => api.labels.person.$get({}, options));
}

export interface QueueAddress {
  run: string;
  scenario: number;
  assertion: string | null;
  /** Null: verdicts of judges and of other people are shown. */
  blindFor: string | null;
}

export function useQueue({ run, scenario, assertion, blindFor }: QueueAddress) {
  const query = {
    ...{ run, scenario: String(scenario) },
    ...(assertion !== null && { assertion }),
    ...(blindFor !== null && { blind_for: blindFor }),
  };
  return useAnswer(['labels', 'queue', query], (options) => api.labels.queue.$get({ query }, options));
}

export function useLabelsOf(trace: string) {
  return useAnswer(['labels', 'of', trace], (options) => api.labels.of[':trace'].$get(at({ trace }), options));
}

export function useAgreement({ file, scenario, assertion_id }: AgreementSubject) {
  const query = { file, scenario, ...(assertion_id !== null && { assertion: assertion_id }) };
  return useAnswer(['labels', 'agreement', query], (options) => api.labels.agreement.$get({ query }, options));
}

/** What changes labels. Everything that shows them is asked for again afterwards. */
export function useLabelChanges() {
  const queries = useQueryClient();
  const onSettled = () => void queries.invalidateQueries({ queryKey: ['labels'] });
  return {
    give: useMutation({ mutationFn: async (json: GivenLabel) => (await api.labels.$post({ json })).json(), onSettled }),
    takeBack: useMutation({ mutationFn: (label: string) => api.labels[':label'].$delete(at({ label })), onSettled }),
    keep: useMutation({ mutationFn: (json: AgreementSubject) => api.labels.calibrate.$post({ json }), onSettled }),
  };
}
