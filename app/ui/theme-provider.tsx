import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.tsx';

/** Mantine with our theme. It writes no styles into the page: `mantine.css` has its variables and classes. */
export const ThemeProvider = ({ scheme, children }: { scheme?: 'light' | 'dark'; children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    {...(scheme && { forceColorScheme: scheme })}
    withCssVariables={false}
    withStaticClasses={false}
    withGlobalClasses={false}
  >
    {children}
  </MantineProvider>
);
