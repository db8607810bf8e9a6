import type { Operator } from '../../mutate/mutant.ts';
import type { Block } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';

/** All operators, what they change and why the right verdict is known. */
export function renderOperators(operators: readonly Operator[], look: Look): string {
  const blocks = (['fail', 'pass'] as const).map(
    (must): Block => ({
      title: `Mutants that must ${must}:`,
      isOpen: true,
      items: operators
        .filter((operator) => operator.must === must)
        .map(({ name, change, why }) => ({
          text: { text: name, tone: 'bold' },
          below: [change, { text: why, tone: 'dim' }],
        })),
    }),
  );
  return toTerminal(blocks, look);
}
