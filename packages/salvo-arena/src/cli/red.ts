import { join } from 'node:path';
import { printResult, type Terminal } from 'salvo/kit/cli';
import { type Look, wrap } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { SalvoError, safeLine, salvoCommand, shellQuote } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { listOwnCode, playRed, type RedDelivery } from '../app/games/play-red.ts';
import { codeUseSentence, renderTemplateUse } from '../report/game/template-use.ts';
import type { RedCommandOptions } from './program/command-options.ts';
import { unlessStopped } from './terminal/exit-code.ts';

/** `salvo red` */
export async function redCommand(given: RedCommandOptions, terminal: Terminal): Promise<number> {
  const { json, dryRun, out, ...options } = given;
  const { cwd, env, stop: signal } = terminal;
  if (dryRun) return await dryRunCommand(given, terminal);
  if (out === undefined) throw new SalvoError('OPTIONS_INVALID', 'Give a folder to write to: {option:out}.');
  const delivery = await unlessStopped('Red', terminal, playRed({ ...options, out, cwd, env, signal }));
  if (delivery === null) return 3;
  const text = redText(delivery, out);
  const steps = delivery.confirmed === 0 ? '' : nextSteps(out, delivery.twin_files > 0);
  printResult(
    { json, kind: kindOf('red'), document: delivery, text: ({ width }) => `${wrap(text, width).join('\n')}\n${steps}` },
    terminal,
  );
  return delivery.confirmed === 0 ? 3 : 0;
}

/** `salvo red --template DIR --dry-run` */
async function dryRunCommand({ json, template, language }: RedCommandOptions, terminal: Terminal): Promise<number> {
  if (template === undefined) {
    throw new SalvoError('OPTIONS_INVALID', '{option:dryRun} lists the resources of {option:template}: give both.');
  }
  const { cwd, env, stop: signal } = terminal;
  const document = await unlessStopped('Red', terminal, listOwnCode({ template, language, cwd, env, signal }));
  if (document === null) return 3;
  const text = (look: Look) => renderTemplateUse(document, look);
  printResult({ json, kind: kindOf('template-use'), document, text }, terminal);
  return 0;
}

function redText(delivery: RedDelivery, out: string): string {
  const { task, seed, confirmed, phantoms, unchecked, files, own_code: own } = delivery;
  const lost = [
    ...(phantoms > 0 ? [`${phantoms} not in the code`] : []),
    ...(unchecked > 0 ? [`${unchecked} could not be checked`] : []),
  ];
  const claims = lost.length === 0 ? '' : ` (of what it claims, ${lost.join(', ')})`;
  const hidden = `Red hid ${formatPlural(confirmed, 'flaw')}${claims} in ${formatPlural(files, 'file')}.`;
  const use = own ? [codeUseSentence(own), ...own.notes.map((note) => safeLine(note, 1000))] : [];
  return [`${hidden} Task ${safeLine(task, 200)}, seed ${seed}.`, ...use, `Everything is in ${safeLine(out)}.`].join(
    '\n',
  );
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
