import { childOf, numberOf } from '../../source/located.ts';
import { functionBody } from './code-assertions.ts';
import type { SourceAssertion } from './source-assertion.ts';

/** A set of assertions with a threshold as one function: the weighted mean of their scores has to reach it. */
export function scoredSet(parts: readonly SourceAssertion[], threshold: number): string {
  const entries = parts.map((part) => {
    const weight = numberOf(childOf(part.node, 'weight')) ?? 1;
    const test = testOf(part);
    return `    [${weight}, async () => ${part.isNegated ? `!(${test})` : test}],`;
  });
  return `async (output, context) => {
  const tests = [
${entries.join('\n')}
  ];
  let [sum, all] = [0, 0];
  for (const [weight, test] of tests) {
    const result = await Promise.resolve().then(test).catch(() => false);
    sum += weight * Number(typeof result === 'object' ? (result.score ?? result.pass) : result);
    all += weight;
  }
  const score = all === 0 ? 0 : sum / all;
  return { pass: score >= ${threshold}, score, reason: \`\${score} of 1 is the score of the set\` };
}`;
}

/** An expression for what the assertion demands, without its negation. */
function testOf(part: SourceAssertion): string {
  // A template of Salvo in code would be read as text of the program.
  const texts = { ...part.around.texts, hasData: false };
  const own = Object.assign(Object.create(Object.getPrototypeOf(part)), part, { around: { ...part.around, texts } });
  const json = (value: unknown) => JSON.stringify(value);
  const any = (method: string, lower: string) =>
    `${json(own.list())}.${method}((text) => output${lower}.includes(text${lower}))`;
  switch (part.base) {
    case 'contains':
      return `output.includes(${json(own.text())})`;
    case 'icontains':
      return `output.toLowerCase().includes(${json(own.text().toLowerCase())})`;
    case 'contains-any':
      return any('some', '');
    case 'contains-all':
      return any('every', '');
    case 'icontains-any':
      return any('some', '.toLowerCase()');
    case 'icontains-all':
      return any('every', '.toLowerCase()');
    case 'equals':
      return `output === ${json(own.text())}`;
    case 'starts-with':
      return `output.startsWith(${json(own.text())})`;
    case 'regex':
      return `new RegExp(${json(own.text())}).test(output)`;
    case 'latency':
      return `context.trace.latency_seconds * 1000 <= ${part.threshold}`;
    case 'cost':
      return `context.trace.cost_usd <= ${part.threshold}`;
    case 'is-json':
      if (part.valueNode) throw part.gap('a schema in a set with a threshold is not translated');
      return '(JSON.parse(output), true)';
    case 'javascript':
      return `(() => {\n${functionBody(part.code())}\n    })()`;
    default:
      throw part.gap('in a set with a threshold, only text, code, cost and latency are translated');
  }
}
