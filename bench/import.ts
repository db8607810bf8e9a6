import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRedactor } from '../packages/salvo/src/secrets/redactor.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { createDocumentRedactor } from '../packages/salvo/src/store/redaction/redact-document.ts';
import { traceSchema } from '../packages/salvo/src/trace/trace.ts';
import { traceFrom } from '../packages/salvo/src/trace/trace-from.ts';
import { CLI, measureProcess } from './measure-process.ts';

const DEFAULT_MEGABYTES = 100;
const TRIALS_OF_A_TASK = 4;
const MEGABYTE = 1_000_000;

/** `--megabytes=1000` */
function wantedMegabytes(): number {
  const given = process.argv.find((word) => word.startsWith('--megabytes='));
  return given === undefined ? DEFAULT_MEGABYTES : Number(given.split('=')[1]);
}

/** JSON lines imported: only read, and stored; against parsing the lines, and against redaction alone. */
export async function benchImport(): Promise<string[]> {
  const megabytes = wantedMegabytes();
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-import-'));
  const file = join(dir, 'conversations.jsonl');
  try {
    const count = await writeConversations(file, megabytes);
    const parsed = await secondsOf(file, () => {});
    const redact = createDocumentRedactor({
      redactor: createRedactor({ customPatterns: [], secrets: [] }),
      mode: 'full',
    });
    let redaction = 0;
    await secondsOf(file, (value) => {
      const trace = traceFrom(value);
      const started = performance.now();
      redact(traceSchema, trace);
      redaction += (performance.now() - started) / 1000;
    });
    const dry = await measureProcess([CLI, 'import', file, '--dry-run'], { cwd: dir, usage: true });
    const stored = await measureProcess([CLI, 'import', file], { cwd: dir, usage: true });
    const rate = (seconds: number): string => `${(megabytes / seconds).toFixed(1)} MB/s`;
    return [
      `${megabytes} MB, ${count} conversations`,
      `JSON.parse of the lines ${rate(parsed)}, redaction alone ${rate(redaction)}`,
      `--dry-run ${rate(dry.seconds)} (aim: 40), ${rate(dry.cpuSeconds)} of processor time, ${(dry.seconds / parsed).toFixed(1)}x JSON.parse, peak ${dry.peakMegabytes.toFixed(0)} MB (aim: 200)`,
      `stored ${rate(stored.seconds)} (aim: 10), ${rate(stored.cpuSeconds)} of processor time, ${(stored.seconds / parsed).toFixed(1)}x JSON.parse, ${(stored.seconds / redaction).toFixed(1)}x redaction, peak ${stored.peakMegabytes.toFixed(0)} MB (aim: 200)`,
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function secondsOf(file: string, use: (value: { messages: object[] }) => void): Promise<number> {
  const started = performance.now();
  for await (const line of createInterface({ input: createReadStream(file) })) use(JSON.parse(line));
  return (performance.now() - started) / 1000;
}

const WORDS =
  'the customer order refund shipping please check status account number policy allows return within thirty days late delivery address changed today'.split(
    ' ',
  );

/** Conversations of about twenty messages: a question, a call, its result, an answer. */
async function writeConversations(file: string, megabytes: number): Promise<number> {
  const random = seededRandom(1, 'import');
  const words = (length: number): string => {
    let text = '';
    while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
    return text;
  };
  const system = words(3000);
  const turn = (id: string) => [
    { role: 'user', content: words(300) },
    { role: 'assistant', content: null, tool_calls: [call(id, words(40))] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify({ status: 'shipped', items: words(400) }) },
  ];
  const output = createWriteStream(file);
  let bytes = 0;
  let count = 0;
  for (; bytes < megabytes * MEGABYTE; count += 1) {
    const messages = [
      { role: 'system', content: system },
      ...Array.from({ length: 6 }, (_, index) => turn(`call_${count}_${index}`)).flat(),
      { role: 'assistant', content: words(500) },
    ];
    const place = { case: `task ${Math.floor(count / TRIALS_OF_A_TASK)}`, trial: count % TRIALS_OF_A_TASK };
    const line = `${JSON.stringify({ id: `c${count}`, ...place, reward: random() < 0.7 ? 1 : 0, messages })}\n`;
    bytes += line.length;
    if (!output.write(line)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
  return count;
}

function call(id: string, note: string) {
  return { id, type: 'function', function: { name: 'lookup_order', arguments: JSON.stringify({ note }) } };
}
