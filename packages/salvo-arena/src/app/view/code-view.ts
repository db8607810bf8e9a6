/** The files that findings are about. */
export interface CodeView {
  files: CodeFile[];
  /** The same files without the flaws; null if there is no twin. */
  twin: CodeFile[] | null;
  /** Why there is no code to show; null if there is. */
  missing: string | null;
}

/** @internal Used by the viewer's pages. */
export interface CodeFile {
  name: string;
  text: string;
}

export function codeFiles(files: Record<string, string>, twin: Record<string, string> | null): CodeView {
  return { files: listed(files), twin: twin && listed(twin), missing: null };
}

export function noCode(missing: string): CodeView {
  return { files: [], twin: null, missing };
}

function listed(files: Record<string, string>): CodeFile[] {
  return Object.entries(files).map(([name, text]) => ({ name, text }));
}
