/**
 * A dialog with an address of its own, rendered over its list by the server. A link closes it; with client JS Escape
 * does too (menus.ts). The screen makes the list behind it inert.
 */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { Form, type FormProps, Submit } from './form.tsx';

interface DialogProps {
  title: string;
  /** Address of the list behind the dialog. If the dialog is part of a form, the button that closes it. */
  closeHref: string | { name: string; value: string };
  /** Reason why there is nothing to send. Forms show their own refusals. */
  message?: string | undefined;
  /** Width in pixels. */
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

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface DialogButtonsProps {
  closeHref: string;
  /** Label of the submit button. */
  submit: string;
  tone?: 'primary' | 'danger' | undefined;
  close?: string | undefined;
  disabled?: boolean | undefined;
}

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

/** Close button of a dialog that has no form. */
export function DialogClose({ closeHref, words, tone = 'plain' }: DialogCloseProps) {
  return (
    <DialogActions>
      <Button component="a" href={closeHref} variant={tone === 'plain' ? 'default' : undefined}>
        {words}
      </Button>
    </DialogActions>
  );
}
