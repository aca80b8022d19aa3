/**
 * A server-rendered part of a page that React hydrates while the page itself runs no client JS: at once, or on first
 * use, so that readers load nothing. Keeps text typed before.
 *
 * `name` is an `*.island.tsx`, which says what to load and when (hydrate-island.ts, hydrate-at-once.tsx). The component
 * must not use the router; `useRootData` works inside.
 */
import type { ComponentType } from 'react';
import styles from './hydrated.module.css';
import { Island } from './island.tsx';
import { RootDataContext, useRootData } from './root-data.ts';

interface HydratedProps<Props extends object> {
  name: string;
  component: ComponentType<Props>;
  /** Serialised as JSON. */
  props: Props;
}

export function Hydrated<Props extends object>({ name, component: Component, props }: HydratedProps<Props>) {
  const page = useRootData();
  const root = page && { ...page, nonce: '', inIsland: true as const };
  return (
    <Island
      name={name}
      props={{ ...props, root }}
      className={styles.place}
      fallback={
        <RootDataContext value={root}>
          <Component {...props} />
        </RootDataContext>
      }
    />
  );
}
