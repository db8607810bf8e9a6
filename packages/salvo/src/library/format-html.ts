import { viewStore } from '../app/view/viewed-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { type ExportHtmlOptions, exportHtml } from '../server/export/export-html.ts';
import type { Store } from '../store/store.ts';
import { written } from './written.ts';

/** A stored run or experiment as an HTML file, like `salvo export --html`. It loads the whole viewer. */
export function formatHtml(
  opened: { project: Project; store: Store },
  { what, trials }: { what: string } & Pick<ExportHtmlOptions, 'trials'>,
): Promise<string> {
  const viewed = viewStore(opened);
  return written((write) => exportHtml({ viewed, what: [what], trials }, async (html) => write(html)));
}
