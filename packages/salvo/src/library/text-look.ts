import type { Look } from '../report/terminal/look.ts';

/** How the format `terminal` looks. */
export interface TextLook {
  /** In columns; 100 if not given. */
  width?: number | undefined;
  /** With escape sequences for colours; without if not given. */
  color?: boolean | undefined;
}

const WIDTH = 100;

export function wholeLook({ width = WIDTH, color = false }: TextLook): Look {
  return { width, color };
}
