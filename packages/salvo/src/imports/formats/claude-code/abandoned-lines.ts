import { isPrompt, type SessionLine } from './session-line.ts';

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
  const answers = new Set<string>();
  for (let line = lastMessage(own); line && !fates.has(line); line = parentOf(line)) {
    fates.set(line, 'on the way');
    if (line.messageId !== null) answers.add(line.messageId);
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
    for (const line of chain.reverse()) {
      if (fate === 'on the way' || fate === 'beside it') {
        fate = beginsBranch(line) ? 'abandoned' : 'beside it';
        if (fate === 'abandoned') branches += 1;
      }
      fates.set(line, fate);
    }
  }
  return { lines: new Set(own.filter((line) => fates.get(line) === 'abandoned')), branches };
}

function lastMessage(lines: readonly SessionLine[]): SessionLine | undefined {
  return lines.findLast(({ type, agent }) => agent === null && (type === 'user' || type === 'assistant'));
}
