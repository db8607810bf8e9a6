import { Link } from 'wouter';
import { tracesHref } from '../../../../src/app/view/page-hrefs.ts';
import type { TrialView } from '../../../../src/app/view/trial/trial-view.ts';
import { useOutcomes, useProject } from '../../api.ts';

/** From a trial to its conversation beside that of another trial of the same case: one that ended differently, if any. */
export function CompareTrialLink({ view }: { view: TrialView }) {
  const project = useProject();
  const others = useOutcomes(view.run_id).filter(
    ({ scenario_index, case_index, trial_number, trace_id }) =>
      scenario_index === view.scenario.index &&
      case_index === view.case_index &&
      trial_number !== view.trial_number &&
      trace_id !== null,
  );
  const other = others.find(({ status }) => status !== view.result?.status) ?? others[0];
  // An HTML file does not have the comparisons of all pairs.
  if (!other || !project.data?.live) return null;
  const { run_id, case_index, trial_number } = view;
  const own = { run_id, scenario_index: view.scenario.index, case_index, trial_number };
  return (
    <>
      {' '}
      ·{' '}
      <Link href={tracesHref(own, { ...own, trial_number: other.trial_number })}>
        beside trial {other.trial_number}
      </Link>
    </>
  );
}
