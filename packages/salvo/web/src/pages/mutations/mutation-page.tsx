import { Link } from 'wouter';
import { at } from '../../../../src/app/view/address-parts.ts';
import { PAGE, runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { MutateDocument } from '../../../../src/mutate/mutate-document.ts';
import { formatPercent } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { TableSection } from '../../parts/data-table.tsx';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { MutantList } from './mutant-list.tsx';
import styles from './mutations.module.css';
import { ShareBar } from './share-bar.tsx';

export function MutationPage({ params: { mutation } }: { params: { mutation: string } }) {
  const query = useAnswer(['mutation', mutation], (options) =>
    api.mutations[':mutation'].$get(at({ mutation }), options),
  );
  return <LoadState query={query}>{(view) => <LoadedMutation view={view} />}</LoadState>;
}

function LoadedMutation({ view }: { view: MutateDocument }) {
  usePageTitle(`Mutants ${view.mutation_id}`);
  const { mutants, compared } = view;
  const idle = view.assertions.filter(({ tried, noticed }) => tried && noticed === 0);
  return (
    <div className="page">
      <header>
        <nav aria-label="Where this is" className="soft small">
          <Link href={PAGE.mutations}>Mutants</Link> / <code>{view.mutation_id}</code>
        </nav>
        <h1>{mutants.tried} mutants</h1>
        <p className={styles.reason}>
          Of {view.traces.used} passing traces of run <Link href={runHref(view.run_id)}>{view.run_id}</Link>, made on{' '}
          {formatTime(view.created_at)} with seed {view.seed}. {judgeNote(view)}
        </p>
      </header>
      <Figures>
        <Figure name="Score">
          <ShareBar share={view.score} />
        </Figure>
        <Figure name="Strictness">
          <ShareBar share={view.strictness} />
        </Figure>
        <Figure name="Survivors">{mutants.survived}</Figure>
        <Figure name="Wrongly failed">{mutants.wrongly_failed}</Figure>
        <Figure name="Not scored">{mutants.unscored}</Figure>
        {compared && <Figure name="New survivors">{compared.new_survivors.length}</Figure>}
        {compared && <Figure name="Gone survivors">{compared.gone_survivors.length}</Figure>}
      </Figures>
      <MutantList
        name="Nothing noticed"
        mutants={view.survivors}
        more={view.not_listed.survivors}
        fresh={compared?.new_survivors ?? []}
      />
      <MutantList
        name="Failed, although they must pass"
        mutants={view.wrongly_failed}
        more={view.not_listed.wrongly_failed}
      />
      <Suggestions view={view} />
      <Tables view={view} />
      {idle.length > 0 && (
        <section>
          <h2 className="heading">Assertions that never decided anything</h2>
          <ul>
            {idle.map(({ scenario, id }) => (
              <li key={`${scenario} ${id}`}>{visibleText(`${scenario}: ${id}`)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function judgeNote({ judges }: MutateDocument): string {
  if (judges === 'left_out') return 'No judge was asked: what only a judge could notice is not scored.';
  return judges === 'only' ? 'Only judges looked at them.' : '';
}

function Suggestions({ view: { suggestions } }: { view: MutateDocument }) {
  if (suggestions.length === 0) return null;
  return (
    <section>
      <h2 className="heading">Assertions that would notice some of them</h2>
      <p className={styles.reason}>All passing traces of the scenario pass them.</p>
      <div className={styles.list}>
        {suggestions.map(({ file, yaml, notices }) => (
          <div key={`${file} ${yaml}`} className="card panel">
            <p className="soft small">
              {visibleText(file)} · notices {notices.length}
            </p>
            <pre className={styles.diff}>{visibleText(yaml)}</pre>
          </div>
        ))}
      </div>
    </section>
  );
}

function Tables({ view }: { view: MutateDocument }) {
  const used = view.operators.filter(
    (each) => each.noticed + each.survived + each.accepted + each.wrongly_failed + each.unscored > 0,
  );
  return (
    <>
      <TableSection
        name="By operator"
        rows={used}
        keyOf={({ name }) => name}
        columns={[
          ['Operator', ({ name }) => <code>{name}</code>, 'head'],
          ['Must', ({ must }) => must],
          [{ number: 'Right' }, (each) => each.noticed + each.accepted],
          [{ number: 'Wrong' }, (each) => each.survived + each.wrongly_failed],
          [{ number: 'Not scored' }, ({ unscored }) => unscored],
        ]}
      />
      <TableSection
        name="By scenario"
        rows={view.scenarios}
        keyOf={({ name, file }) => `${file} ${name}`}
        columns={[
          ['Scenario', ({ name }) => visibleText(name), 'head'],
          [{ number: 'Traces' }, ({ traces }) => traces],
          [{ number: 'Score' }, ({ score }) => formatPercent(score?.value ?? null)],
          [{ number: 'Survivors' }, ({ survived }) => survived],
          [{ number: 'Wrongly failed' }, ({ wrongly_failed }) => wrongly_failed],
          [
            'Left out',
            ({ ignored }) => visibleText(ignored.map((each) => `${each.operator}: ${each.reason}`).join('; ')),
          ],
        ]}
      />
      <TableSection
        name="By assertion"
        rows={view.assertions}
        keyOf={({ scenario, id }) => `${scenario} ${id}`}
        columns={[
          ['Assertion', ({ id }) => visibleText(id), 'head'],
          ['Scenario', ({ scenario }) => visibleText(scenario)],
          [{ number: 'Noticed' }, ({ noticed, tried }) => (tried ? noticed : '—')],
          [{ number: 'Alone' }, ({ alone, tried }) => (tried ? alone : '—')],
          [{ number: 'Wrongly failed' }, ({ wrongly_failed }) => wrongly_failed],
        ]}
      />
    </>
  );
}
