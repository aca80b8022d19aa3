/**
 * A dialog that is an address of its own, over its list: rendered on the server, closed by a link, or by Escape where
 * client JS runs (menus.ts). The list behind it is inert, which is the screen's to say.
 */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { Form, type FormProps, Submit } from './form.tsx';

interface DialogProps {
  title: string;
  /** The list behind, with its filters; or the button that closes it, of the form that the dialog is part of. */
  closeHref: string | { name: string; value: string };
  /** Why there is nothing to send; what a form was refused for is the form's to say. */
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
          {/* biome-ignore lint/a11y/noAutofocus: reading and the keyboard go on here, not at the top of the page beneath */}
          <h2 id="dialog-title" tabIndex={-1} autoFocus>
            {title}
          </h2>
          {typeof closeHref === 'string' ? (
            <a href={closeHref} aria-label="关闭" title="关闭" data-close>
              ✕
            </a>
          ) : (
            <button type="submit" {...closeHref} aria-label="关闭" title="关闭" data-close>
              ✕
            </button>
          )}
        </div>
        {message && <Alert>{message}</Alert>}
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
  tone?: 'primary' | 'danger' | undefined;
  /** The words of the link that closes. */
  close?: string | undefined;
  disabled?: boolean | undefined;
}

/** The two buttons at the foot of a dialog's form. */
export function DialogButtons({ closeHref, submit, tone, close = '取消', disabled }: DialogButtonsProps) {
  return (
    <DialogActions>
      <Button component="a" href={closeHref} variant="default">
        {close}
      </Button>
      <Submit {...(tone === 'danger' && { color: 'red' })} disabled={disabled}>
        {submit}
      </Submit>
    </DialogActions>
  );
}

export type DialogFormProps<Name extends string = never> = Omit<FormProps<Name>, 'className'> & DialogButtonsProps;

/** The form of a dialog. */
export function DialogForm<Name extends string = never>(props: DialogFormProps<Name>) {
  const { closeHref, submit, tone, close, disabled, children, ...form } = props;
  return (
    <Form<Name> {...form} className={styles.form}>
      {children}
      <DialogButtons closeHref={closeHref} submit={submit} tone={tone} close={close} disabled={disabled} />
    </Form>
  );
}

interface DialogCloseProps {
  closeHref: string;
  words: string;
  tone?: 'primary' | 'plain';
}

/** The foot of a dialog that has nothing to send. */
export function DialogClose({ closeHref, words, tone = 'plain' }: DialogCloseProps) {
  return (
    <DialogActions>
      <Button component="a" href={closeHref} variant={tone === 'plain' ? 'default' : undefined}>
        {words}
      </Button>
    </DialogActions>
  );
}
