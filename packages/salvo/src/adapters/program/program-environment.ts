/** Variables that nearly every program needs. None of them is a secret. */
const BASIC: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP XDG_CACHE_HOME XDG_RUNTIME_DIR VIRTUAL_ENV',
    // Windows
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA',
  ].flatMap((line) => line.split(' ')),
);

/** Whether every program receives a variable. */
export function isBasicVariable(name: string): boolean {
  return BASIC.has(name.toUpperCase()) || name.startsWith('LC_');
}

/** The environment of a program: the basics, and the variables granted by name. It receives no other keys. */
export function programEnvironment(
  env: Record<string, string | undefined>,
  granted: readonly string[] = [],
): Record<string, string> {
  const allowed = (name: string) => isBasicVariable(name) || granted.includes(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && allowed(name) ? [[name, value]] : [])),
  );
}
