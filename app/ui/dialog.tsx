/**
 * A dialog that is an address of its own, over its list: rendered on the server, closed by a link (design,
 * section 4). The list behind it is inert, which is the screen's to say.
 */
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  /** The list behind, with its filters; or the button that closes it, of the form that the dialog is part of. */
  closeHref: string | { name: string; value: string };
  /** A refusal, said above the form. */
  message?: string | undefined;
  /** Pixels. */
  width?: number;
  children: ReactNode;
}

export function Dialog({ title, closeHref, message, width = 480, children }: DialogProps) {
  return (
    <dialog open className={styles.layer} aria-labelledby="dialog-title" aria-modal="true">
      {typeof closeHref === 'string' ? (
        <a className={styles.backdrop} href={closeHref} tabIndex={-1}>
          <span className="visually-hidden">关闭</span>
        </a>
      ) : (
        <div className={styles.backdrop} />
      )}
      <div className={styles.panel} style={{ width }}>
        <div className={styles.header}>
          <h2 id="dialog-title">{title}</h2>
          {typeof closeHref === 'string' ? (
            <a href={closeHref} aria-label="关闭" title="关闭">
              ✕
            </a>
          ) : (
            <button type="submit" {...closeHref} aria-label="关闭" title="关闭">
              ✕
            </button>
          )}
        </div>
        {message && (
          <p className={styles.message} role="alert">
            {message}
          </p>
        )}
        {children}
      </div>
    </dialog>
  );
}

/** The buttons of a dialog, at its foot. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
