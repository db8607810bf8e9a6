import type { Disagreement } from '../../../../src/judge/calibration/calibration-record.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './disagreements.module.css';

/** The items on which judge and people differ, worst first. */
export function Disagreements({ disagreements }: { disagreements: readonly Disagreement[] }) {
  if (disagreements.length === 0) return null;
  return (
    <section aria-labelledby="disagreements">
      <h2 id="disagreements" className="heading">
        Where judge and people differ
      </h2>
      <div className={styles.list}>
        {disagreements.map((item) => (
          <DisagreementCard key={item.line} item={item} />
        ))}
      </div>
    </section>
  );
}

function DisagreementCard({ item }: { item: Disagreement }) {
  const { line, scenario, task, response, human, judge, votes, votes_for, criterion, reasoning } = item;
  return (
    <article className="card panel">
      <header className={styles.head}>
        <h3>
          Label in line {line}
          {scenario !== null && ` · ${visibleText(scenario)}`}
        </h3>
        <p>
          People: <Said {...human} /> Judge: <Said {...judge} />
          <span className="soft">
            {votes_for} of {votes} votes
          </span>
        </p>
      </header>
      <div className={styles.sides}>
        <Side name="Task" text={task} />
        <Side name="Answer" text={response} />
        <Side
          name={`The judge's reasoning${criterion === null ? '' : ` on ${visibleText(criterion)}`}`}
          text={reasoning}
        />
      </div>
    </article>
  );
}

function Side({ name, text }: { name: string; text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <div>
      <h4 className="soft fine">{name}</h4>
      <AgentText text={text} />
    </div>
  );
}

function Said({ passed, score }: Disagreement['human']) {
  return (
    <span className={`${styles.said} ${passed ? 'tone-pass' : 'tone-fail'}`}>
      {passed ? '✓ pass' : '✕ fail'}
      {score !== null && ` (${formatScore(score)})`}
    </span>
  );
}
