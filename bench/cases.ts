import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, measureProcess, median } from './measure-process.ts';
import { scriptedProject } from './scripted-project.ts';

const ROUNDS = 3;
const CASES = 10_000;

/** 10,000 rows as 10,000 cases of one trial each, against 10,000 trials of the same scenario without data. */
export async function benchCases(): Promise<string[]> {
  const seconds = { cases: [] as number[], trials: [] as number[] };
  const peaks = { cases: 0, trials: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    using project = scriptedProject();
    writeFileSync(join(project.dir, 'one.yaml'), scenario({ question: 'Where is my order A-1?', id: 'A-1' }));
    writeFileSync(
      join(project.dir, 'many.yaml'),
      `data: rows.csv\n${scenario({ question: '{{question}}', id: '{{id}}' })}`,
    );
    const rows = Array.from({ length: CASES }, (_, index) => `Where is my order A-${index}?,A-${index}`);
    writeFileSync(join(project.dir, 'rows.csv'), `question,id\n${rows.join('\n')}\n`);
    const options = { cwd: project.dir, usage: true };
    const trials = await measureProcess([CLI, 'run', 'one.yaml', '-q', '-n', String(CASES)], options);
    const cases = await measureProcess([CLI, 'run', 'many.yaml', '-q', '-n', '1'], options);
    seconds.trials.push(trials.seconds);
    seconds.cases.push(cases.seconds);
    peaks.trials = Math.max(peaks.trials, trials.peakMegabytes);
    peaks.cases = Math.max(peaks.cases, cases.peakMegabytes);
  }
  const [cases, trials] = [median(seconds.cases), median(seconds.trials)];
  return [
    `${CASES} cases ${cases.toFixed(2)} s, ${CASES} trials of one scenario ${trials.toFixed(2)} s: ${(cases / trials).toFixed(2)}x (aim: 1.5x)`,
    `peak ${peaks.cases.toFixed(0)} MB against ${peaks.trials.toFixed(0)} MB: ${(peaks.cases / peaks.trials).toFixed(2)}x (aim: 1.5x)`,
  ];
}

/** Templates in every place that has them: prompt, mock, assertions and script. */
function scenario({ question, id }: { question: string; id: string }): string {
  return `system_prompt: ${JSON.stringify('You are a support agent. Look orders up before you act on them. '.repeat(16))}
prompt: ${JSON.stringify(question)}
tools:
  - name: lookup
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    mock_response: { status: shipped, id: ${JSON.stringify(id)} }
assertions:
  - { type: tool_called, tool: lookup, arguments: { id: ${JSON.stringify(id)} } }
  - { path: response.content, contains: shipped }
  - { type: output_contains, value: ${JSON.stringify(id)} }
script:
  - { tool_calls: [{ name: lookup, arguments: { id: ${JSON.stringify(id)} } }], usage: { input_tokens: 300, output_tokens: 20 } }
  - { content: ${JSON.stringify(`Your order ${id} has been shipped.`)}, usage: { input_tokens: 400, output_tokens: 12 } }
`;
}
