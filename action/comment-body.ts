import { createHash } from 'node:crypto';

/** GitHub refuses longer comments. Counted in UTF-16 units, which are never fewer than characters. */
const LONGEST_BODY = 65_000;

/** What finds the comment again. A hash, so that no key can end the HTML comment. */
export function commentMarker(key: string): string {
  return `<!-- salvo:${createHash('sha256').update(key).digest('hex').slice(0, 16)} -->`;
}

/** The comment: the Markdown that Salvo wrote, in which nothing mentions people or issues, and where it comes from. */
export function commentBody(parts: {
  marker: string;
  /** Null if there is none. */
  summary: string | null;
  command: string;
  exitCode: string;
  runUrl: string;
  sha: string;
}): string {
  const { marker, summary, command, exitCode, runUrl, sha } = parts;
  const content = summary ?? `**\`salvo ${command}\` has exit code ${exitCode}** and wrote no summary.`;
  const foot = `\n\n<sub>\`salvo ${command}\`, exit code ${exitCode}, commit ${sha.slice(0, 12)}, [log](${runUrl})</sub>\n`;
  const room = LONGEST_BODY - marker.length - foot.length - 2;
  return `${marker}\n${shortened(content.trim(), room, runUrl)}${foot}`;
}

function shortened(text: string, room: number, runUrl: string): string {
  if (text.length <= room) return text;
  const note = `\n\n_The rest is in the [summary of the workflow run](${runUrl})._`;
  const cut = text.slice(0, room - note.length);
  // A line that is cut could be half of a table or of a tag.
  return cut.slice(0, Math.max(0, cut.lastIndexOf('\n'))) + note;
}
