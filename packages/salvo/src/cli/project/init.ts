import { relative, resolve } from 'node:path';
import { createProject, type NewProject } from '../../app/project/project-files.ts';
import { templateOf } from '../../app/project/templates.ts';
import { createStyle } from '../../report/terminal/look.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo init` */
export async function initCommand(options: NewProject & { dir: string }, terminal: Terminal): Promise<number> {
  const { cwd, stdout } = terminal;
  const target = resolve(cwd, options.dir);
  const style = createStyle(stdout.color);
  let keptSettings = false;
  for await (const { name, outcome, missing } of createProject(target, options)) {
    const paint = outcome === 'kept' ? style.dim : style.green;
    stdout.write(`${paint(outcome.padStart(11))}  ${safeLine(name)}\n`);
    if (missing !== null) stdout.write(`${' '.repeat(13)}add to it: ${safeLine(missing)}\n`);
    keptSettings ||= name === 'salvo.yaml' && outcome === 'kept';
  }
  const where = relative(cwd, target);
  const template = options.template === undefined ? undefined : templateOf(options.template);
  const [scenario, adapter] = template ? ['refund', template.adapter] : ['weather', 'scripted'];
  // An existing salvo.yaml may have another scenarios folder and another adapter than the first scenario needs.
  const first = keptSettings ? ` scenarios/${scenario}.yaml --adapter ${adapter}` : '';
  const steps = [
    ...(where === '' ? [] : [`cd ${/^[\w./-]+$/.test(where) ? where : JSON.stringify(where)}`]),
    ...(template && template.packages.length > 0 ? [`npm install ${template.packages.join(' ')}`] : []),
    ...(template?.key === undefined ? [] : [`export ${template.key}=...`]),
    `${salvoCommand()} run${first} -n 10`,
    `${salvoCommand()} replay`,
  ];
  stdout.write(`\nNext:\n${steps.map((step) => `  ${safeLine(step)}\n`).join('')}`);
  return 0;
}
