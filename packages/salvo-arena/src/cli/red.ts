import { join } from 'node:path';
import { printResult, type Terminal } from 'salvo/kit/cli';
import { wrap } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { safeLine, salvoCommand, shellQuote } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { playRed, type RedDelivery } from '../app/games/play-red.ts';
import type { RedCommandOptions } from './program/command-options.ts';
import { unlessStopped } from './terminal/exit-code.ts';

/** `salvo red` */
export async function redCommand({ json, ...options }: RedCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop: signal } = terminal;
  const delivery = await unlessStopped('Red', terminal, playRed({ ...options, cwd, env, signal }));
  if (delivery === null) return 3;
  const text = redText(delivery, options.out);
  const steps = delivery.confirmed === 0 ? '' : nextSteps(options.out, delivery.twin_files > 0);
  printResult(
    { json, kind: kindOf('red'), document: delivery, text: ({ width }) => `${wrap(text, width).join('\n')}\n${steps}` },
    terminal,
  );
  return delivery.confirmed === 0 ? 3 : 0;
}

function redText({ task, seed, confirmed, phantoms, unchecked, files }: RedDelivery, out: string): string {
  const lost = [
    ...(phantoms > 0 ? [`${phantoms} not in the code`] : []),
    ...(unchecked > 0 ? [`${unchecked} could not be checked`] : []),
  ];
  const claims = lost.length === 0 ? '' : ` (of what it claims, ${lost.join(', ')})`;
  const hidden = `Red hid ${formatPlural(confirmed, 'flaw')}${claims} in ${formatPlural(files, 'file')}.`;
  return `${hidden} Task ${safeLine(task, 200)}, seed ${seed}.\nEverything is in ${safeLine(out)}.`;
}

/**
 * What can be done with what Red wrote. Not wrapped, so that each line can be copied. With a report on the twin, what
 * Blue reports about both is a false alarm, and what only the flaws caused is none.
 */
function nextSteps(out: string, hasTwin: boolean): string {
  const folder = (name: string) => shellQuote(safeLine(join(out, name)));
  const commands = [
    `blue ${shellQuote(safeLine(out))} --out findings.json`,
    ...(hasTwin ? [`blue ${folder('twin')} --out twin_findings.json`] : []),
    `score --red ${folder('scored_manifest.json')} --blue findings.json${hasTwin ? ' --blue-twin twin_findings.json' : ''} --source ${folder('code')}`,
  ];
  return `\nNext:\n${commands.map((words) => `  ${salvoCommand()} ${words}\n`).join('')}`;
}
