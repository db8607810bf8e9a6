/** `truePositives` as `true_positives`; digits stay with the letters before them. */
type SnakeCaseName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCaseName<Rest>}`
  : Name;

/** A value with all its names in snake_case, at every depth. */
export type SnakeCase<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly unknown[]
    ? { [Index in keyof T]: SnakeCase<T[Index]> }
    : { [Name in keyof T as Name extends string ? SnakeCaseName<Name> : Name]: SnakeCase<T[Name]> };

export function snakeCase<T>(value: T): SnakeCase<T>;
export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => snakeCase(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCaseName(name), snakeCase(each)]));
}

function snakeCaseName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}
