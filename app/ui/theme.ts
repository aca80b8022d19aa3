import { createTheme } from '@mantine/core';

/** The colours and fonts of theme.css, told to the components that compute with them. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'var(--mantine-font-family)',
  respectReducedMotion: true,
});
