import { at } from '../../../../src/app/view/address-parts.ts';
import { PAGE } from '../../../../src/app/view/page-hrefs.ts';
import type { ComparedJudgeRow } from '../../../../src/judge/which/judge-comparison.ts';
import type { StoredComparison } from '../../../../src/judge/which/stored-comparison.ts';
import { formatPlural, formatScore } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { CalibrationBadge } from '../../parts/badge.tsx';
import { Crumbs } from '../../parts/crumbs.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './comparison-page.module.css';
import { AgreementTable, BiasTable, PairTable, ScoreTable } from './comparison-tables.tsx';
import { ReliabilityDiagram } from './reliability-diagram.tsx';

/** Judges that were compared on the same labels: what to do first, then the figures. */
export function ComparisonPage({ comparison }: { comparison: string }) {
  const query = useAnswer(['comparison', comparison], (options) =>
    api.comparisons[':comparison'].$get(at({ comparison }), options),
  );
  return <LoadState query={query}>{(view) => <Loaded view={view} />}</LoadState>;
}

function Loaded({ view }: { view: StoredComparison }) {
  usePageTitle('Which judge?');
  const { judges, labels, notes } = view;
  return (
    <div className="page">
      <header>
        <Crumbs above={[{ href: PAGE.judges, name: 'Judges' }]} />
        <h1>Which judge?</h1>
        <p className="soft anywhere">
          {formatPlural(judges.length, 'judge')} of <code>{visibleText(view.judges_file)}</code> on{' '}
          {formatPlural(labels.answers, 'labelled answer')} of <code>{visibleText(view.labels_file)}</code>, of which
          people passed {labels.human_passed}; threshold {formatScore(view.threshold)}; compared on{' '}
          {formatTime(view.created_at)}
        </p>
      </header>
      <section aria-label="What to do">
        <ul className={styles.judges}>
          {judges.map((judge) => (
            <Sentences key={judge.name} judge={judge} />
          ))}
        </ul>
      </section>
      <AgreementTable judges={judges} />
      <ScoreTable judges={judges} />
      <Reliability judges={judges} />
      <PairTable pairs={view.pairs} />
      <BiasTable judges={judges} />
      {notes.length > 0 && (
        <ul className="soft small">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Sentences({ judge: { name, verdict, sentences, judge_model, mode, k } }: { judge: ComparedJudgeRow }) {
  return (
    <li className="card panel">
      <div className="row">
        <h2>{visibleText(name)}</h2>
        <CalibrationBadge verdict={verdict} />
        <span className="soft small anywhere">
          {visibleText(judge_model)}, {mode === 'decide' ? 'decides' : formatPlural(k, 'vote')}
        </span>
      </div>
      <ul className={styles.sentences}>
        {sentences.map((sentence) => (
          <li key={sentence}>{visibleText(sentence)}</li>
        ))}
      </ul>
    </li>
  );
}

function Reliability({ judges }: { judges: readonly ComparedJudgeRow[] }) {
  const shown = judges.filter(({ reliability }) => reliability !== null);
  if (shown.length === 0) return null;
  return (
    <section>
      <h2 className="heading">Can its probabilities be taken at their word?</h2>
      <div className={styles.diagrams}>
        {shown.map(
          ({ name, reliability }) =>
            reliability && <ReliabilityDiagram key={name} name={visibleText(name)} reliability={reliability} />,
        )}
      </div>
      <p className="soft small more">
        A point on the dashed line is right: people passed as many answers as the judge said. The larger the point, the
        more answers. The lines are 95% intervals; the wide bands contain the truth for all points at once in 95%.
      </p>
    </section>
  );
}
