import { type ComponentType, startTransition } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { type RootData, RootDataContext } from '../root-data.ts';
import { keepTypedText } from './keep-typed-text.ts';
import { isSupportedBrowser } from './keys/supported-browser.ts';
import { islandOf, MantineIsland, restoreOnError } from './mount-island.tsx';

/** Hydrates a server-rendered component as an island, without waiting for its first use. */
export function hydrateAtOnce<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const island = islandOf<Props & { root: RootData | undefined }>(name);
  if (!island || !isSupportedBrowser()) return;
  const { place, props } = island;
  keepTypedText(place);
  // A transition, so that the page stays responsive during the hydration.
  startTransition(() => {
    const root: Root = hydrateRoot(
      place,
      <MantineIsland>
        <RootDataContext value={props.root}>
          <Component {...props} />
        </RootDataContext>
      </MantineIsland>,
      restoreOnError(place, () => root),
    );
  });
}
