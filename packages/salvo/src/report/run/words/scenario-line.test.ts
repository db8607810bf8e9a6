import { expect, it } from 'vitest';
import { scenarioLine } from './scenario-line.ts';

it.each([
  ['# a scenario\n\nname: refund\nprompt: hi\n', 3],
  ['prompt: hi\ntools:\n  - name: get_refund\nname: "refund" # the first\n', 4],
  [
    "export default [\n  defineScenario({ name: 'refunds' }),\n  defineScenario({ name: 'refund', prompt: 'hi' }),\n];",
    3,
  ],
  ['prompt: the name: refund is not here\r\nname: refund\r\n', 2],
  ['prompt: hi\n', 1],
  ['', 1],
])('the name of a scenario is on its line: %j', (source, line) => {
  expect(scenarioLine(source, 'refund')).toBe(line);
});
