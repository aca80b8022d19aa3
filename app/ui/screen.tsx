/** The frame of a screen that dialogs open over. */
import type { ReactNode } from 'react';
import { useLocation, useOutlet } from 'react-router';
import styles from './screen.module.css';

interface ScreenProps {
  /** Its heading; left out where it shows one of its own. */
  title?: string;
  /** Its content stands on one card. */
  card?: boolean;
  /** Wider than other pages where the window has room: one of its tables needs it, and its tabs stay where they are. */
  wide?: boolean;
  className?: string | undefined;
  /** What it shows is being fetched. */
  busy?: boolean;
  /** One that is no route of its own. */
  dialog?: ReactNode;
  children: ReactNode;
}

export function Screen({ title, card, wide, className, busy, dialog: own, children }: ScreenProps) {
  const opened = useOutlet();
  const dialog = own ?? opened;
  return (
    <>
      {/* With a dialog open, what is behind it is out of reach. */}
      <main
        inert={dialog !== null}
        className={card ? styles.card : className}
        aria-busy={busy || undefined}
        data-wide={wide}
      >
        {title && <h1 className={styles.title}>{title}</h1>}
        {children}
      </main>
      {dialog}
    </>
  );
}

/** A screen or a list as the present address shows it. */
export function useAddress<View>(declared: { at(url: URL): View }): View {
  const { pathname, search } = useLocation();
  return declared.at(new URL(`http://screen${pathname}${search}`));
}
