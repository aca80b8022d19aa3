/**
 * A dialog that is an address of its own, over its list: rendered on the server, closed by a link. The list behind it
 * is inert, which is the screen's to say.
 */
import type { FormEvent, ReactNode } from 'react';
import { type ButtonKind, buttonClass } from './button.tsx';
import styles from './dialog.module.css';
import { Draft } from './draft.tsx';

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

interface DialogButtonsProps {
  /** Where the dialog closes to without sending anything. */
  closeHref: string;
  /** The words of the button that sends the form. */
  submit: string;
  tone?: Exclude<ButtonKind, 'plain'> | undefined;
  /** The words of the link that closes. */
  close?: string | undefined;
  disabled?: boolean | undefined;
}

/** The two buttons at the foot of a dialog's form. */
export function DialogButtons({ closeHref, submit, tone = 'primary', close = '取消', disabled }: DialogButtonsProps) {
  return (
    <DialogActions>
      <a href={closeHref} className={buttonClass('plain')}>
        {close}
      </a>
      <button type="submit" className={buttonClass(tone)} disabled={disabled}>
        {submit}
      </button>
    </DialogActions>
  );
}

interface DialogFormProps extends DialogButtonsProps {
  /** Made in the loader; the same again after a refusal, so that a retry is not a second request. */
  idempotencyKey: string | undefined;
  /** Another address than the dialog's own. */
  action?: string;
  /** Where every fault is said by the server, each at its field. */
  noValidate?: boolean;
  /** For a form with a file. */
  encType?: 'multipart/form-data';
  className?: string | undefined;
  /** What is typed is kept under this name until it is sent (draft.tsx). */
  draft?: string | undefined;
  /** With client JS: before it is sent. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  children?: ReactNode;
}

/** The form of a dialog. */
export function DialogForm({ idempotencyKey, children, ...more }: DialogFormProps) {
  const { action, noValidate, encType, className, draft, onSubmit, ...buttons } = more;
  return (
    <form
      method="post"
      action={action}
      noValidate={noValidate}
      encType={encType}
      className={className}
      onSubmit={onSubmit}
    >
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      {draft && <Draft name={draft} />}
      {children}
      <DialogButtons {...buttons} />
    </form>
  );
}

interface DialogCloseProps {
  closeHref: string;
  words: string;
  tone?: ButtonKind;
}

/** The foot of a dialog that has nothing to send. */
export function DialogClose({ closeHref, words, tone = 'plain' }: DialogCloseProps) {
  return (
    <DialogActions>
      <a href={closeHref} className={buttonClass(tone)}>
        {words}
      </a>
    </DialogActions>
  );
}
