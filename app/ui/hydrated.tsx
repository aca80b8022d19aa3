/**
 * A piece of a page that React takes over while the page itself runs no client JS, as a rule once somebody begins to use
 * it: who only reads loads nothing. It is drawn by the server and taken over as it stands, with what was typed meanwhile.
 *
 * `name` is that of an `*.island.tsx`, which says what to load and when (hydrate-island.ts, take-over.tsx). The component
 * knows no router.
 */
import type { ComponentType } from 'react';
import styles from './hydrated.module.css';
import { Island } from './island.tsx';

interface HydratedProps<Props extends object> {
  name: string;
  component: ComponentType<Props>;
  /** They travel as JSON. */
  props: Props;
}

export const Hydrated = <Props extends object>({ name, component: Component, props }: HydratedProps<Props>) => (
  <Island name={name} props={props} className={styles.place} fallback={<Component {...props} />} />
);
