import { MantineProvider } from '@mantine/core';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { theme } from './theme.tsx';

/** Lets a component take the place of its island's fallback. What fails gives the fallback back. */
export function mountIsland<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  const props = document.querySelector(`[data-props="${name}"]`)?.textContent;
  if (!place || !props) return;
  const fallback = place.innerHTML;
  const scheme = document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light';
  const root = createRoot(place, {
    onUncaughtError(error) {
      console.error(error);
      queueMicrotask(() => {
        root.unmount();
        place.innerHTML = fallback;
      });
    },
  });
  root.render(
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withStaticClasses={false}
      withGlobalClasses={false}
    >
      <Component {...(JSON.parse(props) as Props)} />
    </MantineProvider>,
  );
}
