/**
 * Picks rows of a list, across its pages, without client JS: one GET form whose ticks travel along with every search
 * and page change, and are posted in the end.
 */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { pickedIds } from '../lib/picked-ids.ts';
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
  /** How many are picked; as they are ticked (homework/publish/dialogs.ts) where client JS runs behind it. */
  count: (picked: ReactNode) => ReactNode;
  /** The filters, the list and its pages. */
  children: ReactNode;
}

export function PickerForm(props: PickerFormProps) {
  const { href, action, closeHref, idempotencyKey, refused, label, picked, count, children } = props;
  const key = refused?.key ?? idempotencyKey;
  return (
    <AddressForm className={styles.form} style={{ counterReset: `picked ${countOf(href)}` }} href={href} label={label}>
      {refused?.msg && <Alert>{refused.msg}</Alert>}
      {children}
      {picked.length > 1 && <input type="hidden" name="order" value={picked.join(',')} />}
      <DialogActions>
        <span className={styles.count} role="status">
          {count(<Count picked={picked.length} />)}
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
const Count = ({ picked }: { picked: number }) => (
  <span className={styles.number} data-picked>
    <span className="visually-hidden" aria-hidden="true">
      {picked}
    </span>
  </span>
);

/** Picked on other pages. */
const countOf = (href: string): number => pickedIds(new URLSearchParams(href.split('?')[1])).length;

/** What was picked when the form was refused, as its fields say it. */
export function typedInto(refused: Refused | undefined): URLSearchParams | undefined {
  return refused?.typed && new URLSearchParams(refused.typed.map(([name, value]) => [name, value]));
}
