import { Link } from 'wouter';
import type { AssertionView } from '../../../../src/app/view/trial/assertion-view.ts';
import type { TracePlace } from '../../../../src/app/view/trial/trace-places.ts';
import type { TrialView } from '../../../../src/app/view/trial/trial-view.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './assertion-list.module.css';
import { Judgement } from './judgement.tsx';
import { placeAddress } from './trace-events.ts';

/** What was demanded, and what was found, each linked to its place in the conversation. */
export function AssertionList({ view, hrefOf }: { view: TrialView; hrefOf: (place: string) => string }) {
  const { assertions } = view;
  const failed = assertions.filter(({ status }) => status === 'failed').length;
  return (
    <section aria-labelledby="assertions">
      <div className={styles.head}>
        <h2 id="assertions">Assertions</h2>
        <span className="soft small">
          {failed > 0 ? `${failed} of ${assertions.length} failed` : `${assertions.length} in all`}
        </span>
      </div>
      {assertions.length === 0 && <p>The scenario has none.</p>}
      {inOrder(assertions).map((assertion) => (
        <AssertionCard key={assertion.id} assertion={assertion} hrefOf={hrefOf} />
      ))}
      {view.row !== null && (
        <details className={styles.row}>
          <summary>The row of this case</summary>
          <AgentText text={view.row} isCode />
        </details>
      )}
    </section>
  );
}

const ORDER: readonly AssertionView['status'][] = ['failed', 'unscored', 'not_evaluated', 'passed'];

/** What failed first, required ones before others. */
function inOrder(assertions: readonly AssertionView[]): AssertionView[] {
  return assertions.toSorted(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || Number(b.required) - Number(a.required),
  );
}

const SHOWN: Record<AssertionView['status'], { word: string; sign: string; look: string }> = {
  passed: { word: 'passed', sign: '✓', look: 'pass' },
  failed: { word: 'failed', sign: '✕', look: 'fail' },
  unscored: { word: 'not scored', sign: '?', look: 'unscored' },
  not_evaluated: { word: 'not evaluated', sign: '–', look: 'unscored' },
};

function AssertionCard({ assertion, hrefOf }: { assertion: AssertionView; hrefOf: (place: string) => string }) {
  const { name, type, status, score, required, weight, expected, found, definition, places, judgement } = assertion;
  const { word, sign, look } = SHOWN[status];
  return (
    <article className={`${styles.card} tone-${look} ${look === 'unscored' ? styles.unscored : ''}`}>
      <header className={styles.title}>
        <h3>{visibleText(name)}</h3>
        <span className={styles.outcome}>
          <span aria-hidden="true">{sign}</span> {word}
          {required && ', required'}
          {score !== null && ` · ${formatScore(score)}`}
        </span>
      </header>
      <dl className={styles.facts}>
        {judgement === null && <Fact name="Expected" text={expected} />}
        {judgement === null && <Fact name="Found" text={found || null} />}
      </dl>
      {judgement && <Judgement judgement={judgement} found={status === 'unscored' ? found : null} />}
      <Places places={places} hrefOf={hrefOf} />
      {definition !== null && (
        <details>
          <summary className="soft small">
            As in the file{weight !== 1 && `, weight ${weight}`} ({type})
          </summary>
          <AgentText text={definition} isCode />
        </details>
      )}
    </article>
  );
}

function Fact({ name, text }: { name: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <dt className="soft small">{name}</dt>
      <dd>
        <AgentText text={text} />
      </dd>
    </div>
  );
}

const MOST_LINKS = 6;

function Places({ places, hrefOf }: { places: readonly TracePlace[]; hrefOf: (place: string) => string }) {
  const links = new Map(places.map((place) => [placeAddress(place), place]));
  if (links.size === 0) return null;
  return (
    <p className={styles.places}>
      See{' '}
      {[...links].slice(0, MOST_LINKS).map(([address, place], index) => (
        <span key={address}>
          {index > 0 && ', '}
          <Link href={hrefOf(address)}>
            {place.kind === 'call'
              ? `call ${place.number}: ${visibleText(place.name)}`
              : `message ${place.message + 1}`}
          </Link>
        </span>
      ))}
      {links.size > MOST_LINKS && ` and ${links.size - MOST_LINKS} more`}
    </p>
  );
}
