import { contentHash } from '../../../text/json/canonical-json.ts';
import { isMetadataOnly } from '../../../trace/not-recorded.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Judgement } from '../../judge-trace.ts';
import type { JudgedScenario } from '../../prompt/context.ts';
import { type JudgeSettings, votersOf } from '../../votes/cast-vote.ts';
import { answerOf, type NumberedItem } from '../judge-labels.ts';
import type { Anchors } from './anchors-schema.ts';

/** The most calls of one check. */
export const MOST_CALLS = 20;
export const ANCHORS_VERSION = 1;

/** Longer traces would make every check expensive. */
const MOST_CHARACTERS = 30_000;

/**
 * Draws anchors from the judged labels: as many as can be judged again with one vote of each judge. The draw does not look
 * at scores: items chosen for their votes would differ from their next vote by chance alone.
 */
export function chooseAnchors(
  judged: ReadonlyMap<NumberedItem, readonly Judgement[]>,
  { judges, k, scenario }: Pick<JudgeSettings, 'judges' | 'k'> & { scenario: JudgedScenario | undefined },
): Anchors {
  const fitting = [...judged].flatMap(([{ trace, passed }, judgements]) => {
    const answer = answerOf(trace);
    return answer !== null && isFitting(trace, judgements) ? [{ trace, passed, judgements, answer }] : [];
  });
  const different = new Map(fitting.map((each) => [each.answer, each]));
  const inOrder = [...different.values()].toSorted((a, b) => (a.answer < b.answer ? -1 : 1));
  // As many that people pass as that they fail, if there are.
  const ranks = [...Map.groupBy(inOrder, ({ passed }) => passed).values()].flatMap((group) => [...group.entries()]);
  const drawn = ranks.toSorted(([a], [b]) => a - b).slice(0, Math.floor(MOST_CALLS / judges.length));
  const voters = votersOf({ judges, k });
  return {
    version: ANCHORS_VERSION,
    scenario: scenarioHash(scenario),
    items: drawn.map(([, { trace, judgements }]) => ({
      sha256: shownHash(trace),
      trace,
      votes: judges.map((judge, position) => {
        const votes = judgements
          .flatMap(({ metadata }) => metadata.votes)
          .filter(({ vote_number }) => voters[vote_number - 1] === judge);
        const probabilities = votes.flatMap(({ probability }) => probability ?? []);
        return {
          judge: position,
          scores: votes.flatMap(({ score }) => score ?? []),
          ...(probabilities.length > 0 && { probabilities }),
        };
      }),
    })),
  };
}

function isFitting(trace: Trace, judgements: readonly Judgement[]): boolean {
  const isWhole = judgements.every(
    ({ metadata: { votes, material } }) => material?.parts === 1 && votes.every(({ score }) => score !== null),
  );
  return isWhole && !isMetadataOnly(trace) && JSON.stringify(trace).length <= MOST_CHARACTERS;
}

/** Of what a judge may see of a trace. */
export function shownHash({ messages, tool_calls_made, final_content }: Trace): string {
  return contentHash({ messages, tool_calls_made, final_content });
}

/** Of what a judge may see of a scenario. */
export function scenarioHash(scenario: JudgedScenario | undefined): string | null {
  if (!scenario) return null;
  const { system_prompt, prompt, messages, tools_seen, tools = [] } = scenario;
  const shown = tools.map(({ name, description, agent }) => ({ name, description, agent }));
  return contentHash({ system_prompt, prompt, messages, tools_seen, tools: shown });
}
