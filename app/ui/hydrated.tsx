/**
 * A piece of a page that React takes over while the page itself runs no client JS: at once, or once somebody begins to use
 * it, so that who only reads loads nothing. It is drawn by the server and taken over as it stands, with what was typed
 * meanwhile.
 *
 * `name` is that of an `*.island.tsx`, which says what to load and when (hydrate-island.ts, hydrate-drawn.tsx). The component
 * knows no router; what every page knows (`useRootData`) travels with its props.
 */
import type { ComponentType } from 'react';
import styles from './hydrated.module.css';
import { Island } from './island.tsx';
import { RootDataContext, useRootData } from './root-data.ts';

interface HydratedProps<Props extends object> {
  name: string;
  component: ComponentType<Props>;
  /** They travel as JSON. */
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
