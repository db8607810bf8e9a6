import { useEffect, useState } from 'react';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'salvo-theme';

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    keepTheme(theme);
  }, [theme]);
  return (
    <label>
      <span className="visually-hidden">Colours</span>
      <select
        value={theme}
        onChange={({ target }) => setTheme(THEMES.find((each) => each === target.value) ?? 'system')}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A page from a file may not be allowed to store anything. */
function storedTheme(): Theme {
  try {
    return THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice holds for this page, then.
  }
}
