import './keys/menus.ts';
import './keys/quick-keys.ts';
import type { ComponentType, ReactNode } from 'react';
import { createRoot, type Root, type RootOptions } from 'react-dom/client';
import { ThemeProvider } from '../theme-provider.tsx';
import { isSupportedBrowser } from './keys/supported-browser.ts';

export function islandOf<Props extends object>(name: string): { place: HTMLElement; props: Props } | undefined {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  const props = document.querySelector(`[data-props="${name}"]`)?.textContent;
  return place && props ? { place, props: JSON.parse(props) as Props } : undefined;
}

/** Provides the theme, in the colours of the page around the island. */
export const MantineIsland = ({ children }: { children: ReactNode }) => (
  <ThemeProvider scheme={document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'}>
    {children}
  </ThemeProvider>
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
