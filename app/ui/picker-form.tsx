/**
 * Picks rows of a list, across its pages, without client JS: one GET form whose ticks travel along with every search
 * and page change, and are posted in the end.
 */
import { Alert, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import { pickedIds } from '../lib/picker-pages.ts';
import { AddressForm } from './address-form.tsx';
import { DialogActions } from './dialog.tsx';
import type { Refused } from './form-state.ts';
import styles from './picker-form.module.css';

interface PickerFormProps {
  /** Where it searches and turns pages, with what was picked on other pages. */
  href: string;
  /** Where it is posted to. */
  action: string;
  closeHref: string;
  idempotencyKey?: string | undefined;
  refused?: Refused | undefined;
  label?: string;
  /** What the page was answered with. */
  picked: readonly number[];
  /** How many are picked: with client JS, as they are ticked. */
  count: (picked: ReactNode) => ReactNode;
  /** The filters, the list and its pages. */
  children: ReactNode;
}

export function PickerForm(props: PickerFormProps) {
  const { href, action, closeHref, idempotencyKey, refused, label, picked, count, children } = props;
  const key = refused?.key ?? idempotencyKey;
  const known = picked.join();
  const [ticked, setTicked] = useState({ known, count: picked.length });
  return (
    <AddressForm
      className={styles.form}
      style={{ counterReset: `picked ${countOf(href)}` }}
      href={href}
      label={label}
      onChange={({ currentTarget }) => setTicked({ known, count: pickedIds(new FormData(currentTarget)).length })}
    >
      {refused?.msg && <Alert>{refused.msg}</Alert>}
      {children}
      <DialogActions>
        <span className={styles.count} role="status">
          {count(<Count picked={ticked.known === known ? ticked.count : picked.length} />)}
        </span>
        <Button component="a" href={closeHref} variant="default">
          取消
        </Button>
        <Button
          type="submit"
          {...(key && { name: 'idempotency_key', value: key })}
          formMethod="post"
          formAction={action}
        >
          确定
        </Button>
      </DialogActions>
    </AddressForm>
  );
}

/** The browser counts the ticks itself; what client JS has counted is read out. */
function Count({ picked }: { picked: number }) {
  const isLive = useHydrated();
  return (
    <span className={styles.number} data-live={isLive || undefined}>
      <span className="visually-hidden" aria-hidden={!isLive}>
        {picked}
      </span>
    </span>
  );
}

/** Picked on other pages. */
const countOf = (href: string): number => pickedIds(new URLSearchParams(href.split('?')[1])).length;

/** What was picked when the form was refused, as its fields say it. */
export function typedInto(refused: Refused | undefined): URLSearchParams | undefined {
  return refused?.typed && new URLSearchParams(refused.typed.map(([name, value]) => [name, value]));
}
