import { listIn, recordIn, textOf } from '../record-fields.ts';
import { isPrompt } from './added-message.ts';
import type { SessionLine } from './session-line.ts';

interface Abandoned {
  lines: ReadonlySet<SessionLine>;
  /** How often the user went back and took another way. */
  branches: number;
}

type Fate = 'on the way' | 'beside it' | 'apart' | 'abandoned';

/**
 * The lines that the user left behind by going back in the conversation. Lines know those before them, and the way to the
 * last one is the conversation. A line beside that way is abandoned only if it begins with another message of the user or
 * another answer: the results of calls that were made together are beside it, too.
 */
export function abandonedLines(lines: readonly SessionLine[]): Abandoned {
  // What a sub-agent reports may be between two lines of the session.
  const own = lines.filter(({ agent, uuid, node }) => agent === null || uuid !== node);
  const byId = new Map<string, SessionLine>();
  for (const line of own) if (line.node !== null && !byId.has(line.node)) byId.set(line.node, line);
  const parentOf = ({ parent }: SessionLine): SessionLine | undefined => byId.get(parent ?? '');
  const fates = new Map<SessionLine, Fate>();
  /** The first lines of the parts of the session that are apart from the way. */
  const roots = new Map<SessionLine, SessionLine>();
  const answers = new Set<string>();
  const ends = [lastMessage(own)];
  for (const end of ends) {
    for (let line = end; line && !fates.has(line); line = parentOf(line)) {
      fates.set(line, 'on the way');
      if (line.messageId !== null) answers.add(line.messageId);
      for (const id of keptByCompaction(line)) ends.push(byId.get(id));
    }
  }
  let branches = 0;
  const beginsBranch = (line: SessionLine): boolean =>
    line.agent === null && (isPrompt(line) || (line.messageId !== null && !answers.has(line.messageId)));
  for (const start of own) {
    const isRepeated = start.node !== null && byId.get(start.node) !== start;
    if (isRepeated) continue;
    const chain: SessionLine[] = [];
    const visited = new Set<SessionLine>();
    let above: SessionLine | undefined = start;
    while (above && !fates.has(above) && !visited.has(above)) {
      visited.add(above);
      chain.push(above);
      above = parentOf(above);
    }
    let fate: Fate = (above && fates.get(above)) ?? 'apart';
    const root = (above && roots.get(above)) ?? chain.at(-1);
    for (const line of chain.reverse()) {
      if (fate === 'on the way' || fate === 'beside it') {
        fate = beginsBranch(line) ? 'abandoned' : 'beside it';
        if (fate === 'abandoned') branches += 1;
      }
      fates.set(line, fate);
      if (fate === 'apart' && root) roots.set(line, root);
    }
  }
  const replaced = replacedBeginnings(own, { way: own.filter((line) => fates.get(line) === 'on the way'), roots });
  const isLeft = (line: SessionLine): boolean => {
    const root = roots.get(line);
    return fates.get(line) === 'abandoned' || (root !== undefined && replaced.has(root));
  };
  return { lines: new Set(own.filter(isLeft)), branches: branches + replaced.size };
}

/**
 * The first lines of beginnings that the user replaced by going back to the first message. The new beginning knows no line
 * before it, as one after a compaction does in old versions. So a note of the program must name a line of the new one as the
 * last of the session.
 */
function replacedBeginnings(
  own: readonly SessionLine[],
  { way, roots }: { way: readonly SessionLine[]; roots: ReadonlyMap<SessionLine, SessionLine> },
): ReadonlySet<SessionLine> {
  const [first] = way;
  const marker = own.findLast(({ type, value }) => type === 'last-prompt' && textOf(value, 'leafUuid') !== null);
  const leaf = marker && textOf(marker.value, 'leafUuid');
  const isOfWay = way.some(({ node }) => node !== null && node === leaf);
  const prompt = way.find(({ type }) => type === 'user');
  if (!first || !isOfWay || !isBeginning(first) || !prompt || !isPrompt(prompt)) return new Set();
  const before = new Set(own.slice(0, own.indexOf(first)));
  const others = [...new Set(roots.values())].filter((root) => before.has(root) && isBeginning(root));
  return new Set(others.filter(({ session }) => session === first.session));
}

/** Messages that a compaction keeps as they are come after it again, so that those before it are not on the way to them. */
function keptByCompaction({ value }: SessionLine): string[] {
  const kept = recordIn(recordIn(value, 'compactMetadata'), 'preservedMessages');
  return listIn(kept, 'uuids').filter((id) => typeof id === 'string');
}

function isBeginning({ value }: SessionLine): boolean {
  return value.parentUuid === null && typeof value.logicalParentUuid !== 'string';
}

function lastMessage(lines: readonly SessionLine[]): SessionLine | undefined {
  return lines.findLast(({ type, agent }) => agent === null && (type === 'user' || type === 'assistant'));
}
