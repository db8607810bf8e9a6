import { Link } from 'wouter';
import type { JudgementView } from '../../../../src/app/view/judges/judgement-view.ts';
import { runHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatPercent } from '../../../../src/stats/format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import styles from './paired-answers.module.css';

type Pairwise = NonNullable<JudgementView['pairwise']>;

const WORDS = { win: 'This answer is preferred', tie: 'No preference', loss: 'The other answer is preferred' };

/** The two answers that a judge compared, side by side, and what it said in both orders. */
export function PairedAnswers({ pairwise }: { pairwise: Pairwise }) {
  const { preference, answers, against } = pairwise;
  return (
    <div>
      <p>
        <strong>{preference === null ? 'No verdict' : WORDS[preference]}</strong>
        <span className="soft small"> · {facts(pairwise).join(' · ')}</span>
      </p>
      <div className={styles.answers}>
        <section>
          <h4>This answer</h4>
          <AgentText text={answers.own === '' ? '(empty)' : answers.own} />
        </section>
        <section>
          <h4>
            {against.kind === 'reference' ? (
              'The reference'
            ) : (
              <>
                Trial {against.trial_number} of <Link href={runHref(against.run_id)}>run {against.run_id}</Link>
              </>
            )}
          </h4>
          <AgentText text={answers.other === '' ? '(empty)' : answers.other} />
        </section>
      </div>
    </div>
  );
}

function facts({ votes, order, shares, require }: Pairwise): string[] {
  const count = (is: keyof typeof WORDS) => votes.filter(({ preference }) => preference === is).length;
  return [
    `votes: ${count('win')} for this answer, ${count('tie')} for neither, ${count('loss')} for the other`,
    ...(order.changed > 0 ? [`${order.changed} of ${order.votes} changed with the order`] : []),
    ...(shares
      ? [`probabilities: ${(['win', 'tie', 'loss'] as const).map((key) => formatPercent(shares[key])).join(', ')}`]
      : []),
    require === 'win' ? 'passes if it is preferred' : 'passes unless the other is preferred',
  ];
}
