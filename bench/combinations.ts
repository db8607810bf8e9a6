import type { ModelCall } from '../packages/salvo/src/models/call/model-caller.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { createLlmBlue, type LlmBlueOptions } from '../packages/salvo-arena/src/blue/llm/llm-blue.ts';
import type { Finding } from '../packages/salvo-arena/src/match/claims/finding.ts';
import { type FakeAnswer, fakeModels } from '../test/fake-models.ts';

const ROUNDS = 40;
const RESOURCES = 40;
/** Every fourth resource is flawed. */
const FLAWED = 4;

/** How often the scripted model is right about a flaw, and wrong about a resource without one. */
const REVIEW = { finds: 0.65, imagines: 0.15 };
/** When it is asked about one finding: it judges better than it searches. */
const SECOND_LOOK = { finds: 0.85, imagines: 0.3 };

const WAYS: Record<string, Partial<LlmBlueOptions>> = {
  'one plain Blue': {},
  precise: { technique: 'precise' },
  iterative: { technique: 'iterative' },
  union: { specialists: true, combine: 'union' },
  vote: { specialists: true, combine: 'vote' },
  intersection: { specialists: true, combine: 'intersection' },
  debate: { specialists: true, combine: 'debate' },
};

/** What combining models brings and costs, if their errors are independent of each other: the best case. */
export async function benchCombinations(): Promise<string[]> {
  const files = { 'main.tf': Array.from({ length: RESOURCES }, (_, at) => block(at)).join('\n') };
  const measured = [];
  for (const [way, options] of Object.entries(WAYS)) measured.push({ way, ...(await measure(options, files)) });
  const plain = measured[0] ?? { f1: 1, calls: 1 };
  const percent = (share: number) => `${(100 * share).toFixed(0)}%`;
  return measured.map(({ way, recall, precision, f1, calls }) => {
    const figures = `recall ${percent(recall)}, precision ${percent(precision)}, F1 ${f1.toFixed(2)}`;
    return `${way}: ${figures}: ${(f1 / plain.f1).toFixed(2)}x for ${(calls / plain.calls).toFixed(1)}x the calls`;
  });
}

async function measure(options: Partial<LlmBlueOptions>, files: Record<string, string>) {
  const sums = { found: 0, alarms: 0, calls: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = seededRandom(round, 'combinations');
    const models = fakeModels((call) => answer(call, random));
    const { findings } = await createLlmBlue({ models, adapter: 'openai', model: 'm', ...options }).analyze({ files });
    const named = new Set(findings.map(({ resource }) => numberIn(String(resource))));
    sums.found += [...named].filter(isFlawed).length;
    sums.alarms += [...named].filter((at) => !isFlawed(at)).length;
    sums.calls += models.calls.length;
  }
  const recall = sums.found / ((ROUNDS * RESOURCES) / FLAWED);
  const precision = sums.found / (sums.found + sums.alarms);
  return { recall, precision, f1: (2 * precision * recall) / (precision + recall), calls: sums.calls };
}

function block(at: number): string {
  return `resource "aws_s3_bucket" "b${at}" {\n  bucket = "bucket-${at}"\n}\n`;
}

function isFlawed(at: number): boolean {
  return at % FLAWED === 0;
}

function numberIn(text: string): number {
  return Number(/aws_s3_bucket\.b(\d+)/.exec(text)?.[1]);
}

/** The scripted model. It errs at random, and knows nothing of what it said before. */
function answer({ tools, messages }: ModelCall, random: () => number): FakeAnswer {
  const says = (at: number, { finds, imagines }: typeof REVIEW) => random() < (isFlawed(at) ? finds : imagines);
  const text = messages.map(({ content }) => content).join('\n');
  const known = [...text.matchAll(/^(\d+)\. \[\w+\] .*?aws_s3_bucket\.b(\d+)/gm)];
  const asked = known.map(([, number, at]) => ({ number: Number(number), at: Number(at) }));
  const name = tools[0]?.name ?? '';
  const all = Array.from({ length: RESOURCES }, (_, at) => at);
  const answers: Record<string, Record<string, unknown>> = {
    report_findings: { findings: all.filter((at) => says(at, REVIEW)).map(finding) },
    vote_on_findings: {
      votes: asked.map(({ number, at }) => ({ number, reason: 'By the code.', agree: says(at, SECOND_LOOK) })),
    },
    quote_lines: {
      quotes: asked.map(({ number, at }) => {
        const { file, line, evidence: quote } = finding(at);
        return { number, withdrawn: !says(at, SECOND_LOOK), file, line, quote };
      }),
    },
  };
  return { tool_calls: [{ id: '1', name, arguments: answers[name] ?? {} }], finish_reason: 'tool_calls' };
}

function finding(at: number): Finding {
  return {
    type: 'encryption',
    resource: `aws_s3_bucket.b${at}`,
    severity: 'high',
    title: 'The bucket is not encrypted',
    description: 'It has no key.',
    evidence: `bucket = "bucket-${at}"`,
    file: 'main.tf',
    line: 4 * at + 2,
  };
}
