import { type ComponentType, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { islandOf, MantineIsland } from './mount-island.tsx';

/** React goes on with what the server has drawn of a component. */
export function takeOver<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const island = islandOf<Props>(name);
  if (!island) return;
  // In pieces: the page can be scrolled and typed into meanwhile.
  startTransition(() => {
    hydrateRoot(
      island.place,
      <MantineIsland>
        <Component {...island.props} />
      </MantineIsland>,
    );
  });
}
