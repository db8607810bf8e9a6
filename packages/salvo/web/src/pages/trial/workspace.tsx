import type { ChangedFileView, WorkspaceView } from '../../../../src/app/view/trial/workspace-view.ts';
import { formatCount, formatSeconds } from '../../../../src/stats/format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './workspace.module.css';

/** The files that the agent changed, the commands that were run on them, and what services printed. */
export function Workspace({ view }: { view: WorkspaceView }) {
  const { files, files_changed, problem, kept, commands, services } = view;
  return (
    <section aria-labelledby="workspace-heading" className={styles.workspace}>
      <h2 id="workspace-heading">{view.has_workspace ? 'Files' : 'Services'}</h2>
      {view.has_workspace && (
        <p className="soft small">
          {problem === null
            ? files_changed === 0
              ? 'The agent changed no file.'
              : `${formatCount(files_changed)} changed`
            : `Not known: ${visibleText(problem)}`}
          {files.length < files_changed && `, ${formatCount(files.length)} shown`}
          {kept !== null && `. Kept in ${visibleText(kept)}`}
        </p>
      )}
      {files.map((file) => (
        <ChangedFile key={file.path} file={file} isOpen={files.length <= 5} />
      ))}
      {commands.map(({ key, command, exit_code, problem: why, seconds, output }) => (
        <details key={key} open={exit_code !== 0}>
          <summary>
            <code>{visibleText(command)}</code>:{' '}
            {exit_code === null ? (why ?? 'no exit code') : `exit code ${exit_code}`}, {formatSeconds(seconds)}
          </summary>
          <AgentText text={output} isCode />
        </details>
      ))}
      {services.map(({ name, output }) => (
        <details key={name}>
          <summary>
            Service <code>{visibleText(name)}</code>: what it printed last
          </summary>
          <AgentText text={output === '' ? 'nothing' : output} isCode />
        </details>
      ))}
    </section>
  );
}

function ChangedFile({ file, isOpen }: { file: ChangedFileView; isOpen: boolean }) {
  const { path, change, diff, note, is_cut } = file;
  const title = (
    <>
      <code>{visibleText(path)}</code> <span className="soft">{change}</span>
      {note !== '' && <span className="soft"> ({visibleText(note)})</span>}
    </>
  );
  if (diff === '') return <p className={styles.file}>{title}</p>;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <pre className={styles.diff}>
        {diff.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
          <span key={index} className={lineStyle(line)}>
            {visibleText(line)}
            {'\n'}
          </span>
        ))}
        {is_cut && <span className="soft">…</span>}
      </pre>
    </details>
  );
}

function lineStyle(line: string): string | undefined {
  if (line.startsWith('+')) return styles.added;
  if (line.startsWith('-')) return styles.removed;
  return line.startsWith('@@') ? styles.place : undefined;
}
