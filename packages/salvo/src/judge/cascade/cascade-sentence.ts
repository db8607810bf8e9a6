import { judgementError } from '../judge-items.ts';
import type { CascadeOutcome, JudgeMetadata, StageOutcome } from '../votes/judge-metadata.ts';

/** Who decided, and why not those before. `asked` is what the stages that were asked said. */
export function cascadeSentence(
  { decided_by, stages, people }: Omit<CascadeOutcome, 'reason'>,
  asked: readonly JudgeMetadata[],
): string {
  const said = stages.slice(0, asked.length).map((stage, index) => {
    const metadata = asked[index];
    const error = metadata ? judgementError({ metadata }) : null;
    return { stage, words: stageWords(stage, error), name: `Stage ${index + 1} (${stage.judge_model})` };
  });
  const before = said
    .filter(({ stage }) => stage.outcome !== 'decided')
    .map(({ name, words }) => `${name} ${words}.`)
    .join(' ');
  const decider = said.find(({ stage }) => stage.outcome === 'decided');
  const result = decider
    ? `${decider.name} decided: it ${decider.words}.`
    : people === 'decided'
      ? 'People decided, by their labels.'
      : people === 'waiting'
        ? 'It waits for people: label it in salvo view, under Labels, and judge it again with salvo reeval.'
        : decided_by === null
          ? 'No stage of the cascade decided.'
          : '';
  return [result, before].filter((part) => part !== '').join(' ');
}

function stageWords({ outcome, sure, sureness }: StageOutcome, error: string | null): string {
  if (outcome === 'unscored') return `gave no verdict${error === null ? '' : `: ${error.replace(/\.$/, '')}`}`;
  if (sure === null) return 'decides whatever reaches it';
  if (sureness === null || sureness === undefined) return 'does not say how sure it is';
  return `was ${percent(sureness)} sure, and decides from ${percent(sure)}`;
}

/** Rounded down, so that what is not enough does not look as if it were. */
function percent(share: number): string {
  return `${Math.floor(1000 * share + 1e-6) / 10}%`;
}
