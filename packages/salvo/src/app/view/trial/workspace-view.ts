import type { Trace } from '../../../trace/trace.ts';
import type { FileRecord } from '../../../trace/workspace-record.ts';

/** What a page shows of the workspace and the services of a trial. */
export type WorkspaceView = NonNullable<ReturnType<typeof workspaceView>>;
export type ChangedFileView = WorkspaceView['files'][number];

const MOST_FILES = 200;
const MOST_CHARACTERS = 20_000;

/** Null if the trial had neither. */
export function workspaceView({ workspace, services }: Pick<Trace, 'workspace' | 'services'>) {
  if (!workspace && !services) return null;
  const changed = (workspace?.files ?? []).filter(({ change }) => change !== 'unchanged' && change !== 'missing');
  return {
    has_workspace: workspace !== undefined,
    files: changed.slice(0, MOST_FILES).map(fileView),
    files_changed: changed.length + (workspace?.not_listed ?? 0),
    problem: workspace?.problem ?? null,
    kept: workspace?.kept ?? null,
    commands: workspace?.commands ?? [],
    services: services ?? [],
  };
}

function fileView(file: FileRecord) {
  const { path, change, content } = file;
  const added = change === 'added' && content !== undefined ? content.replace(/^/gm, '+') : '';
  const diff = file.diff ?? added;
  return {
    path,
    change,
    diff: diff.slice(0, MOST_CHARACTERS),
    is_cut: diff.length > MOST_CHARACTERS,
    note: noteOf(file),
  };
}

const WITHOUT_CONTENT: Record<NonNullable<FileRecord['without_content']>, string> = {
  binary: 'no text',
  too_large: 'too large to be recorded',
  too_many: 'not recorded, because too much was changed',
  unreadable: 'cannot be read',
};

/** What the lines do not show; empty if there is nothing. */
function noteOf({ link, without_content, bytes, diff }: FileRecord): string {
  if (link !== undefined) return `a link to ${link}`;
  if (diff === '') return 'only its rights';
  if (without_content === undefined) return '';
  return `${WITHOUT_CONTENT[without_content]}${bytes === undefined ? '' : `, ${bytes} bytes`}`;
}
