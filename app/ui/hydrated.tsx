/**
 * A server-rendered part of a page that React hydrates, at once or on the first use, so that readers load nothing. The
 * page itself runs no client JS. Text that was typed before hydration is kept.
 *
 * `name` is the name of an `*.island.tsx`, which says what to load and when (hydrate-island.ts, hydrate-at-once.tsx).
 * The component must not use the router; `useRootData` works inside.
 */
import type { ComponentType } from 'react';
import styles from './hydrated.module.css';
import { Island } from './island.tsx';
import { RootDataContext, useRootData } from './root-data.ts';

interface HydratedProps<Props extends object> {
  name: string;
  component: ComponentType<Props>;
  /** Properties, sent to the browser as JSON. */
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
