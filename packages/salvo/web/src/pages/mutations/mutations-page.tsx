import { Link } from 'wouter';
import type { MutationLine } from '../../../../src/app/view/mutations/mutation-view.ts';
import { mutationHref, runHref } from '../../../../src/app/view/page-hrefs.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { RowTable } from '../../parts/data-table.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './mutations.module.css';
import { ShareBar } from './share-bar.tsx';

export function MutationsPage() {
  usePageTitle('Mutants');
  const mutations = useAnswer(['mutations'], (options) => api.mutations.$get({}, options));
  return (
    <div className="page">
      <h1>Mutants</h1>
      <LoadState query={mutations}>
        {(lines) => (lines.length === 0 ? <NoMutations /> : <MutationTable lines={lines} />)}
      </LoadState>
    </div>
  );
}

function NoMutations() {
  return (
    <p>
      Nothing was changed yet. <code>salvo mutate</code> changes stored traces that passed, and lists the changes that
      no assertion notices.
    </p>
  );
}

function MutationTable({ lines }: { lines: MutationLine[] }) {
  return (
    <>
      <RowTable
        name="Mutants"
        rows={lines}
        keyOf={({ mutation_id }) => mutation_id}
        columns={[
          ['Result', ({ mutation_id }) => <Link href={mutationHref(mutation_id)}>{mutation_id}</Link>],
          ['Of run', ({ run_id }) => <Link href={runHref(run_id)}>{run_id}</Link>],
          ['Scenarios', ({ scenarios }) => visibleText(scenarios.join(', '))],
          ['Score', ({ score }) => <ShareBar share={score} />],
          [{ number: 'Survivors' }, ({ mutants }) => mutants.survived],
          [{ number: 'New' }, ({ new_survivors }) => new_survivors ?? '—'],
          [{ number: 'Wrongly failed' }, ({ mutants }) => mutants.wrongly_failed],
          [{ number: 'Not scored' }, ({ mutants }) => mutants.unscored],
          ['Made', ({ created_at }) => formatTime(created_at), () => styles.when],
        ]}
      />
      <p className={styles.reason}>
        The score is the share of mutants that must fail and that an assertion noticed. Survivors were noticed by none.
      </p>
    </>
  );
}
