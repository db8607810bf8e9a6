import type { ScenarioComments } from '../../scenario/from-trace/scenario-text.ts';
import type { ChosenAssertion, SourceTrace } from '../../scenario/from-trace/source-trace.ts';

const TO_COMPLETE = [
  'Nothing in the recording shows what was wrong. Write an assertion that it fails, such as:',
  '- { type: output_not_contains, value: what it must not say }',
  '- { type: tool_called, tool: what_it_should_have_called }',
];

/** What the file says about itself. */
export function scenarioComments({
  sources,
  why,
  assertions,
}: {
  sources: readonly SourceTrace[];
  why: string | undefined;
  assertions: readonly ChosenAssertion[];
}): ScenarioComments {
  const [first] = sources;
  const origin = sources.length === 1 ? first?.origin : `${sources.length} conversations: ${first?.origin} and others`;
  const isShown = assertions.some(({ verdict }) => verdict === 'failed');
  const one = isShown ? 'It fails its assertions' : 'It passes its assertions';
  const several = isShown ? 'They fail its assertions' : 'They pass its assertions';
  const what = sources.length === 1 ? one : several;
  const isJudged = assertions.some(({ verdict }) => verdict === 'not tried');
  return {
    head: [
      `Made by \`salvo scenario from\` of ${origin}.`,
      `${what}${isJudged ? '; the judge was not asked' : ''}.`,
      ...(why === undefined ? [] : [`What was wrong: ${why}`]),
    ],
    assertions: assertions.map((each) => each.why),
    end: why !== undefined && !isShown ? TO_COMPLETE : [],
  };
}

/** What people should know about the assertions. */
export function assertionNotes(why: string | undefined, assertions: readonly ChosenAssertion[]): string[] {
  if (assertions.length === 0) return ['No assertion could be proposed: without one, nothing is checked.'];
  if (why === undefined || assertions.some(({ verdict }) => verdict === 'failed')) return [];
  const others = assertions.some(({ verdict }) => verdict === 'not tried') ? ' but the judge, which was not asked' : '';
  return [`The trace passes all assertions${others}: nothing in it shows what was wrong. Complete them by hand.`];
}
