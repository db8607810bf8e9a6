import { describe, expect, it } from 'vitest';
import { YARDSTICK } from '../../../../../test/sample-against.ts';
import { sampleRun } from '../../../../../test/sample-run.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { yardstickDifferences, yardstickOf } from './yardstick.ts';

const [{ scenario } = { scenario: undefined }] = sampleRun().scenarios;

function differences(change: Partial<Scenario>) {
  if (!scenario) throw new Error('The sample has no scenario.');
  return yardstickDifferences(yardstickOf(scenario, []), yardstickOf({ ...scenario, ...change }, []));
}

describe('what differs between two runs', () => {
  it.each<[Partial<Scenario>, string]>([
    [{ temperature: 0.7 }, 'temperature was not set, and is 0.7'],
    [{ max_tokens: 100 }, 'max_tokens was not set, and is 100'],
    [{ max_turns: 3 }, 'max_turns was 10, and is 3'],
    [{ timeout_seconds: 5 }, 'timeout_seconds was not set, and is 5'],
    [{ retries: 0 }, 'retries was not set, and is 0'],
    [{ extras: { top_p: 0.1 } }, 'the extras differ'],
    [{ script: { variants: [{ weight: 1, turns: [{ content: 'hi', tool_calls: [] }] }] } }, 'the script differs'],
    [{ system_prompt: 'Be brief.' }, 'the system prompt differs'],
  ])('%j is part of the agent, and named', (change, sentence) => {
    expect(differences(change)).toEqual({ measure: [], task: [], agent: [sentence] });
  });

  it('of a tool, the description is part of the agent, and the parameters of the yardstick', () => {
    const tools = (change: object) => ({ tools: (scenario?.tools ?? []).map((tool) => ({ ...tool, ...change })) });
    expect(differences(tools({ description: 'Looks up.' })).agent).toEqual(['the descriptions of tools differ']);
    expect(differences(tools({ parameters: { type: 'object', required: ['id'] } })).measure).toEqual([
      'the parameters of the tool lookup differ',
    ]);
  });

  it('the constants that a check uses are part of the yardstick', () => {
    if (!scenario) throw new Error('The sample has no scenario.');
    const withCode = (ofChecks: string) => yardstickOf(scenario, [], { ofFile: () => undefined, ofChecks });
    expect(yardstickDifferences(withCode('a'), withCode('b')).measure).toEqual(['code that the checks use differs']);
    expect(yardstickDifferences(yardstickOf(scenario, []), withCode('b')).measure).toEqual([]);
  });

  it('what a baseline of an earlier version does not know is no difference', () => {
    const now = { ...YARDSTICK, parameters: { find: 'a' }, code: 'b', agent: { temperature: 1 } };
    expect(yardstickDifferences(YARDSTICK, now)).toEqual({ measure: [], task: [], agent: [] });
  });
});
