/** What nearly every program needs to run at all. None of it is a secret. */
const BASIC: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'VIRTUAL_ENV',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
]);

/** The environment of an agent's command: the basics, and what it was granted by name. Keys of others stay with us. */
export function programEnvironment(
  env: Record<string, string | undefined>,
  granted: readonly string[] = [],
): Record<string, string> {
  const allowed = (name: string) => BASIC.has(name.toUpperCase()) || name.startsWith('LC_') || granted.includes(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && allowed(name) ? [[name, value]] : [])),
  );
}
