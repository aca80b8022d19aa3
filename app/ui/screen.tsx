/** Frame of a screen, over which dialogs can open. */
import type { ReactNode } from 'react';
import { useLocation, useOutlet } from 'react-router';
import styles from './screen.module.css';

interface ScreenProps {
  /** Heading. Left out if the content has its own. */
  title?: string;
  /** True to put the content on a card. */
  card?: boolean;
  /** True to use the full width of a wide window, for wide tables. Tabs keep their position. */
  wide?: boolean;
  className?: string | undefined;
  busy?: boolean;
  /** A dialog without a route of its own. */
  dialog?: ReactNode;
  children: ReactNode;
}

export function Screen({ title, card, wide, className, busy, dialog: own, children }: ScreenProps) {
  const opened = useOutlet();
  const dialog = own ?? opened;
  return (
    <>
      {/* An open dialog makes the screen behind it inert. */}
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

/** Returns the parameters of a screen, or the view of a list, at the current address. */
export function useAddress<View>(declared: { at(url: URL): View }): View {
  const { pathname, search } = useLocation();
  return declared.at(new URL(`http://screen${pathname}${search}`));
}
