import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { islandOf, MantineIsland } from './mount-island.tsx';

/** React goes on with what the server has drawn of a component. */
export function takeOver<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const island = islandOf<Props>(name);
  if (!island) return;
  hydrateRoot(
    island.place,
    <MantineIsland>
      <Component {...island.props} />
    </MantineIsland>,
  );
}
