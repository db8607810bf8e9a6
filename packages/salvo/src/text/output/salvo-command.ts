/**
 * How to start Salvo, for commands that people copy. npm finds `salvo` in the packages of a project, for `npx salvo` and
 * for scripts of package.json; a shell does not.
 */
export function salvoCommand(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_command === 'exec' || env.npm_command === 'run-script' ? 'npx salvo' : 'salvo';
}
