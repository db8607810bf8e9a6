import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { LabelItem, LabelQueue } from '../../../../src/app/view/labels/label-queue.ts';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { HumanLabel } from '../../../../src/judge/calibration/human-label.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { type GivenVerdict, LabelForm, LabelList } from '../../parts/label-form.tsx';
import { useVirtualList, VirtualList } from '../../parts/virtual-list.tsx';
import { useKey } from '../../use-key.ts';
import { visibleText } from '../../visible-text.ts';
import { ComparedMessage } from '../compare/compared-message.tsx';
import { useMessages } from '../trial/api.ts';
import { useLabelChanges } from './api.ts';
import styles from './label-queue-view.module.css';

/** What was done, so that it can be undone. */
interface Step {
  at: number;
  /** Null if it could not be stored. */
  given: Promise<HumanLabel | null>;
  /** What the same person had said before. */
  before: HumanLabel | undefined;
}

/** Which trial is shown, and what can be done with it. */
function useLabelQueue({ queue, person }: { queue: LabelQueue; person: string }) {
  const { items } = queue;
  const isDone = (item: LabelItem) => mine(item, person).some(({ criterion }) => criterion === null);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      items.findIndex((item) => !isDone(item)),
    ),
  );
  const steps = useRef<Step[]>([]);
  const { give, takeBack } = useLabelChanges();
  const item = items[Math.min(at, items.length - 1)];
  const done = items.filter(isDone).length;
  const skipped = items.slice(0, items.findLastIndex(isDone) + 1).filter((each) => !isDone(each)).length;

  const placeOf = ({ case_index, trial_number, drawn }: LabelItem) => ({
    ...{ run_id: queue.run_id, scenario_index: queue.scenario.index, case_index, trial_number },
    ...{ assertion_id: queue.assertion_id, labelled_by: person, drawn },
  });
  const toNext = () => {
    const later = items.findIndex((each, index) => index > at && !isDone(each));
    const earlier = items.findIndex((each, index) => index < at && !isDone(each));
    const next = later === -1 ? earlier : later;
    if (next !== -1) setAt(next);
  };
  const say = (given: GivenVerdict, andGoOn: boolean) => {
    if (!item) return;
    const before = mine(item, person).find(({ criterion }) => criterion === given.criterion);
    // At once, not when the answer is there: what is undone next is what was done last.
    const stored = give.mutateAsync({ ...placeOf(item), ...given }).catch(() => null);
    steps.current.push({ at, given: stored, before });
    if (andGoOn) toNext();
  };
  const undo = async () => {
    const step = steps.current.pop();
    const undone = step && items[step.at];
    if (!step || !undone) return;
    setAt(step.at);
    const label = await step.given;
    if (!label) return;
    if (!step.before) takeBack.mutate(label.label_id);
    else {
      const { criterion, passed, score, note: text } = step.before;
      give.mutate({ ...placeOf(undone), criterion, verdict: score ?? passed, note: text });
    }
  };
  const move = (by: number) => setAt((now) => Math.max(0, Math.min(items.length - 1, now + by)));
  const problem = give.error ?? takeBack.error;
  return { at, item, done, skipped, say, undo, move, problem };
}

/** One trial after the other. Its order stays the same while labels are given. */
export function LabelQueueView({ queue, person, isBlind }: { queue: LabelQueue; person: string; isBlind: boolean }) {
  const { items } = queue;
  const note = useRef<HTMLTextAreaElement>(null);
  const { at, item, done, skipped, say, undo, move, problem } = useLabelQueue({ queue, person });
  const decide = (verdict: boolean) => say({ criterion: null, verdict, note: note.current?.value.trim() ?? '' }, true);
  useKey('1', () => decide(true));
  useKey('2', () => decide(false));
  useKey('0', () => move(1));
  useKey('n', () => note.current?.focus());
  useKey('u', () => void undo());
  useKey('ArrowRight', () => move(1));
  useKey('ArrowLeft', () => move(-1));
  if (!item) return null;
  return (
    <div className={styles.columns}>
      <LabelledConversation traceId={item.trace_id} />
      <aside className={styles.panel} aria-label="Your label">
        <div className="row">
          <progress value={done} max={items.length} aria-label="Labelled" />
          <span role="status">
            {done} of {items.length} labelled
            {skipped > 0 && `, ${skipped} skipped`}
          </span>
        </div>
        <div className="row ends">
          <h2>
            {item.case === null ? '' : `${visibleText(item.case)} · `}Trial {item.trial_number}
          </h2>
          <span className="soft small">
            {at + 1} of {items.length}
          </span>
        </div>
        {item.waits && <p className="small">The judges were not sure: your label decides at the next salvo reeval.</p>}
        <LabelForm
          key={`${item.trace_id} ${person}`}
          labels={mine(item, person)}
          criteria={queue.criteria}
          noteField={note}
          keys
          onGive={(given) => say(given, given.criterion === null)}
          onNote={(given) => say(given, false)}
        />
        <div className="row">
          <button type="button" aria-keyshortcuts="ArrowLeft" disabled={at === 0} onClick={() => move(-1)}>
            Back <kbd>←</kbd>
          </button>
          <button
            type="button"
            aria-keyshortcuts="0 ArrowRight"
            disabled={at === items.length - 1}
            onClick={() => move(1)}
          >
            Skip <kbd>0</kbd>
          </button>
          <button type="button" aria-keyshortcuts="u" onClick={() => void undo()}>
            Undo <kbd>u</kbd>
          </button>
        </div>
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem.message}
          </p>
        )}
        {!isBlind && <Opinion item={item} />}
        {!isBlind && (
          <LabelList labels={item.labels.filter(({ labelled_by }) => labelled_by !== person)} name="What others said" />
        )}
        {!isBlind && (
          <Link href={trialHref({ ...item, run_id: queue.run_id, scenario_index: queue.scenario.index })}>
            The trial with all its assertions
          </Link>
        )}
      </aside>
    </div>
  );
}

function Opinion({ item: { judge } }: { item: LabelItem }) {
  if (!judge) return <p className={styles.opinion}>No judge gave a verdict.</p>;
  return (
    <div className={styles.opinion}>
      <strong>{judge.passed ? '✓ The judge passes it' : '✕ The judge fails it'}</strong>, score{' '}
      {formatScore(judge.score)}
      {judge.votes > 0 && `, ${judge.votes - judge.dissenting} of ${judge.votes} votes`}
      {judge.criteria.length > 0 && (
        <ul>
          {judge.criteria.map(({ name, score }) => (
            <li key={name}>
              {visibleText(name)}: {formatScore(score)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function mine({ labels }: LabelItem, person: string): HumanLabel[] {
  return labels.filter(({ labelled_by }) => labelled_by === person.trim());
}

/** What is to be labelled: the conversation, and nothing about how it was judged. */
function LabelledConversation({ traceId }: { traceId: string }) {
  const { messages, isPending } = useMessages(traceId);
  const list = useVirtualList({ count: messages.length, height: 96, keyOf: (index) => `${traceId} ${index}` });
  return (
    <section aria-label="Conversation">
      {isPending && <p role="status">Loading…</p>}
      <VirtualList of={list}>
        {(index) => (
          <ComparedMessage message={messages[index] ?? null} other={null} side="base" isSame traceId={traceId} />
        )}
      </VirtualList>
    </section>
  );
}
