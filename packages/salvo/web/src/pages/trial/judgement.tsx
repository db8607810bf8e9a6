import { Link } from 'wouter';
import type { JudgementView, VoteView } from '../../../../src/app/view/judges/judgement-view.ts';
import { judgeHref } from '../../../../src/app/view/page-hrefs.ts';
import { knownUsd } from '../../../../src/stats/cost.ts';
import {
  formatCost,
  formatPercent,
  formatPlural,
  formatScore,
  twoDigits,
  twoDigitsInterval,
} from '../../../../src/stats/format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './judgement.module.css';
import { PairedAnswers } from './paired-answers.tsx';
import { VotePlot } from './vote-plot.tsx';

/** What a judge said: its votes by criterion, the reasoning of each, and how far this judge can be trusted. */
export function Judgement({ judgement, found }: { judgement: JudgementView; found: string | null }) {
  const { criteria, votes, threshold, notes } = judgement;
  const isPanel = new Set(votes.map(({ judge_model }) => judge_model)).size > 1;
  // Why it failed is what a reader wants to know first.
  const telling = votes.find(({ passed, dissents }) => passed === false && !dissents)?.vote_number;
  return (
    <div className={styles.judgement}>
      <p className="soft small">{figures(judgement)}</p>
      {found !== null && !notes.some((note) => found.includes(note)) && <AgentText text={found} />}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {visibleText(note)}
        </p>
      ))}
      {judgement.pairwise && <PairedAnswers pairwise={judgement.pairwise} />}
      {criteria.some((criterion) => criterion.votes.length > 0) && (
        <VotePlot criteria={criteria} threshold={threshold} />
      )}
      <div className={styles.votes}>
        {votes.map((vote) => (
          <Vote key={vote.vote_number} vote={vote} isPanel={isPanel} isOpen={vote.vote_number === telling} />
        ))}
      </div>
      {!judgement.pairwise && <Calibration judgement={judgement} />}
    </div>
  );
}

function figures(judgement: JudgementView): string {
  const { votes, judge_model, threshold, aggregation, saved_calls, cost } = judgement;
  const readable = votes.filter(({ score }) => score !== null).length;
  const cached = votes.filter((vote) => vote.cached).length;
  const dissenting = votes.filter(({ dissents }) => dissents).length;
  return [
    visibleText(judge_model),
    judgement.pairwise ? 'above 0.5 prefers this answer' : `a vote needs ${formatScore(threshold)} to pass`,
    readable === votes.length
      ? formatPlural(readable, judgement.pairwise ? 'answer' : 'vote')
      : `${readable} of ${votes.length} votes readable`,
    ...(judgement.parts > 1
      ? [`in ${judgement.parts} parts; left out: ${judgement.saw_all ? 'nothing' : 'see below'}`]
      : []),
    ...(aggregation === 'mean' || aggregation === 'trimmed_mean' ? [aggregation.replace('_', ' ')] : []),
    ...(dissenting > 0 ? [`${dissenting} dissenting`] : []),
    ...(cached > 0 ? [`${cached} cached`] : []),
    ...(saved_calls > 0 ? [`${saved_calls} not needed`] : []),
    ...(judgement.krippendorff_alpha === null ? [] : [`alpha ${twoDigits(judgement.krippendorff_alpha)}`]),
    formatCost(cost, 'cost unknown'),
  ].join(' · ');
}

/** A word for a vote, and its tone. */
function verdictOf({ passed, score, own_first }: VoteView): [string, string] {
  if (passed === null || score === null) return ['? not readable', 'unscored'];
  if (own_first === null) return passed ? ['✓ passes it', 'pass'] : ['✕ fails it', 'fail'];
  const order = own_first ? 'this answer first' : 'the other first';
  if (score === 0.5) return [`= no preference, ${order}`, 'unscored'];
  return score > 0.5 ? [`✓ prefers it, ${order}`, 'pass'] : [`✕ prefers the other, ${order}`, 'fail'];
}

function Vote({ vote, isPanel, isOpen }: { vote: VoteView; isPanel: boolean; isOpen: boolean }) {
  const { vote_number, score, probability, dissents, cached, repaired, error, raw_text, reasons, cost } = vote;
  const [verdict, look] = verdictOf(vote);
  const facts = [
    ...(dissents ? ['dissents'] : []),
    ...(cached ? ['cached'] : []),
    ...(repaired ? ['asked twice'] : []),
    ...(knownUsd(cost) > 0 ? [formatCost(cost)] : []),
  ];
  return (
    <details className={`${styles.vote} ${dissents ? styles.dissents : ''}`} open={isOpen}>
      <summary className="soft small">
        Vote {vote_number} {isPanel && `(${visibleText(vote.judge_model)}) `}
        <span className={`${styles.verdict} tone-${look}`}>{verdict}</span>
        {score !== null && ` · ${formatScore(score)}`}
        {probability !== null && ` · probability of a pass: ${formatPercent(probability)}`}
        {facts.length > 0 && ` · ${facts.join(', ')}`}
      </summary>
      {error !== null && <AgentText text={error} />}
      {raw_text !== null && <AgentText text={raw_text} isCode />}
      <dl className={styles.reasons}>
        {reasons.map(({ criterion, score: given, reasoning, part_scores }) => (
          <div key={criterion}>
            <dt className="soft small">
              {visibleText(criterion)} · {formatScore(given)}
              {part_scores.length > 0 &&
                ` (by part: ${part_scores.map((part) => (part === null ? '–' : formatScore(part))).join(', ')})`}
            </dt>
            <dd>{reasoning === '' ? 'No reasoning.' : <AgentText text={reasoning} />}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Calibration({ judgement: { calibration, judge_hash } }: { judgement: JudgementView }) {
  const href = judgeHref(judge_hash);
  if (calibration === null) {
    return (
      <p className="soft small">
        Nobody has compared <Link href={href}>this judge</Link> with people.
      </p>
    );
  }
  const { verdict, kappa, kappa_ci, n } = calibration;
  const interval = kappa_ci ? ` (95% interval ${twoDigitsInterval(kappa_ci)})` : '';
  return (
    <p className="soft small">
      <Link href={href}>This judge</Link>, compared with people: <strong>{verdict}</strong>
      {kappa !== null && `, kappa ${twoDigits(kappa)}${interval}`}, {n} labels.
    </p>
  );
}
