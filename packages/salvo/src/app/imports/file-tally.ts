import type { FileReport } from '../../imports/import-document.ts';
import type { ImportedConversation } from '../../imports/import-format.ts';
import type { LostRecord } from '../../imports/read-with.ts';

const MOST_LOSSES = 10_000;
/** A hostile file may have a new name in each record. */
const MOST_NAMES = 200;

export type FileTally = ReturnType<typeof createFileTally>;

/** Counts what was read of a file. Memory does not grow with the file. */
export function createFileTally(file: string, bytes: number) {
  const aside = new Map<string, number>();
  const report: FileReport = {
    ...{ file, format: null, bytes, conversations: 0, doubled: 0, messages: 0, calls: 0 },
    ...{ calls_without_result: 0, results_without_call: 0, input_tokens: 0, output_tokens: 0 },
    ...{ aside: {}, losses_total: 0, losses: [] },
  };
  const lose = (loss: FileReport['losses'][number]): void => {
    report.losses_total += 1;
    if (report.losses.length < MOST_LOSSES) report.losses.push(loss);
  };
  return {
    isOf(format: string): void {
      report.format = format;
    },
    lose: ({ line, problem }: LostRecord) => lose({ line, place: '', problem }),
    double(): void {
      report.doubled += 1;
    },
    add({ trace, aside: fields, losses }: ImportedConversation): void {
      const results = trace.messages.reduce((count, { role }) => count + (role === 'tool_result' ? 1 : 0), 0);
      const answered = trace.tool_calls_made.reduce((count, { result }) => count + (result === null ? 0 : 1), 0);
      report.conversations += 1;
      report.messages += trace.messages.length;
      report.calls += trace.tool_calls_made.length;
      report.calls_without_result += trace.tool_calls_made.length - answered;
      report.results_without_call += Math.max(0, results - answered);
      report.input_tokens += trace.input_tokens ?? 0;
      report.output_tokens += trace.output_tokens ?? 0;
      for (const loss of losses) lose(loss);
      for (const name of Object.keys(fields)) {
        if (aside.has(name) || aside.size < MOST_NAMES) aside.set(name, (aside.get(name) ?? 0) + 1);
      }
    },
    report: (): FileReport => ({ ...report, aside: Object.fromEntries(aside) }),
  };
}
