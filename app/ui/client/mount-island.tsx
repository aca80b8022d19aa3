import './keys/menus.ts';
import './keys/quick-keys.ts';
import { MantineProvider } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { createRoot, type Root, type RootOptions } from 'react-dom/client';
import { theme } from '../theme.tsx';
import { isAbleBrowser } from './keys/able-browser.ts';

/** Where an island stands in the page, and what it was given. */
export function islandOf<Props extends object>(name: string): { place: HTMLElement; props: Props } | undefined {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  const props = document.querySelector(`[data-props="${name}"]`)?.textContent;
  return place && props ? { place, props: JSON.parse(props) as Props } : undefined;
}

/** Mantine as the page's root has it. */
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

/** Where a component fails, its place is given back what the server had drawn there. */
export function givingBack(place: HTMLElement, root: () => Root): Pick<RootOptions, 'onUncaughtError'> {
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

/** Lets a component take the place of its island's fallback. What fails gives the fallback back. */
export function mountIsland<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const island = islandOf<Props>(name);
  if (!island || !isAbleBrowser()) return;
  const { place, props } = island;
  const root: Root = createRoot(
    place,
    givingBack(place, () => root),
  );
  root.render(
    <MantineIsland>
      <Component {...props} />
    </MantineIsland>,
  );
}
