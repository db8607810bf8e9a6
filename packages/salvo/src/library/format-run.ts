import type { OpenRun } from '../app/results/open-run.ts';
import type { ReportableRun } from '../app/results/report-run.ts';
import { type TextLook, wholeLook } from './text-look.ts';
import { written } from './written.ts';

/** `terminal` is what `salvo report` prints; `json` is a `RunDocument`; `html` is the viewer with the run in one file. */
export type RunFormat = 'terminal' | 'markdown' | 'junit' | 'csv' | 'json' | 'html';

export interface FormatRunOptions extends TextLook {
  format: RunFormat;
  /** `terminal` and `markdown` have all statistics. */
  full?: boolean | undefined;
  /** Which conversations `html` has: all if not given. */
  trials?: 'all' | 'failed' | undefined;
}

/** What `runFiles`, `resumeRun`, `mergeParts` and `openRun` return. */
export type FormattedRun = ReportableRun & Pick<OpenRun, 'project'>;

/** A run as a text. Modules are loaded for the format that is asked for, and for no other. */
export async function formatRun(run: FormattedRun, options: FormatRunOptions): Promise<string> {
  const { format, trials = 'all' } = options;
  if (format === 'html') {
    const { formatHtml } = await import('./format-html.ts');
    return await formatHtml(run, { what: run.run.run_id, trials });
  }
  const { reportRun } = await import('../app/results/report-run.ts');
  const { report, stream } = await reportRun(run);
  const shown = { ...report, full: options.full };
  switch (format) {
    case 'terminal':
      return (await import('../report/run/run-text.ts')).runText(shown, wholeLook(options));
    case 'markdown':
      return (await import('../report/run/run-text.ts')).runMarkdown(shown);
    case 'junit': {
      const { writeJunit } = await import('../report/run/formats/junit.ts');
      return written((write) => writeJunit({ ...stream, write }));
    }
    case 'csv': {
      const { writeCsv } = await import('../report/run/formats/csv.ts');
      return written((write) => writeCsv({ ...stream, write }));
    }
    case 'json': {
      const { writeRunJson } = await import('../report/run/formats/json-report.ts');
      return written((write) => writeRunJson({ ...stream, write }));
    }
  }
}
