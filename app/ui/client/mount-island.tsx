import './keys/menus.ts';
import './keys/quick-keys.ts';
import { MantineProvider } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { createRoot, type Root, type RootOptions } from 'react-dom/client';
import { theme } from '../theme.tsx';
import { isSupportedBrowser } from './keys/supported-browser.ts';

export function islandOf<Props extends object>(name: string): { place: HTMLElement; props: Props } | undefined {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  const props = document.querySelector(`[data-props="${name}"]`)?.textContent;
  return place && props ? { place, props: JSON.parse(props) as Props } : undefined;
}

/** Mantine's provider with the same settings as in the root of the page. */
export const MantineIsland = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    forceColorScheme={document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'}
    withCssVariables={false}
    withStaticClasses={false}
    withGlobalClasses={false}
  >
    {children}
  </MantineProvider>
);

/** Puts the server's HTML back if the component fails. */
export function restoreOnError(place: HTMLElement, root: () => Root): Pick<RootOptions, 'onUncaughtError'> {
  const drawn = place.innerHTML;
  return {
    onUncaughtError(error) {
      console.error(error);
      queueMicrotask(() => {
        root().unmount();
        place.innerHTML = drawn;
      });
    },
  };
}

/** Mounts a component in place of its island's fallback. If the component fails, the fallback returns. */
export function mountIsland<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const island = islandOf<Props>(name);
  if (!island || !isSupportedBrowser()) return;
  const { place, props } = island;
  const root: Root = createRoot(
    place,
    restoreOnError(place, () => root),
  );
  root.render(
    <MantineIsland>
      <Component {...props} />
    </MantineIsland>,
  );
}
