import { useEffect, useState } from 'react';
import { remember, remembered } from '../remembered.ts';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'salvo-theme';

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => themeOf(remembered(KEY)));
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    remember(KEY, theme);
  }, [theme]);
  return (
    <label>
      <span className="visually-hidden">Colours</span>
      <select value={theme} onChange={({ target }) => setTheme(themeOf(target.value))}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function themeOf(name: string | null): Theme {
  return THEMES.find((each) => each === name) ?? 'system';
}
