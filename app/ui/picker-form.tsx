/**
 * Form to pick rows of a list across its pages, without client JS. It is one GET form: searches and page links carry
 * the ticks along, and the last button posts them.
 */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { pickedIds } from '../lib/picked-ids.ts';
import { AddressForm } from './address-form.tsx';
import { DialogActions } from './dialog.tsx';
import type { RefusedForm } from './form-state.ts';
import styles from './picker-form.module.css';

interface PickerFormProps {
  /** Address that the search and the page links lead to. Carries the ids that are picked on other pages. */
  href: string;
  /** Address to which the picked ids are posted. */
  action: string;
  closeHref: string;
  idempotencyKey?: string | undefined;
  refused?: RefusedForm | undefined;
  label?: string;
  /** Ids that were picked up to this request. */
  picked: readonly number[];
  /**
   * Text with the number of picked rows. With client JS (homework/publish/dialogs.ts) it is updated as rows are ticked.
   */
  count: (picked: ReactNode) => ReactNode;
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

/** Number of picked rows. CSS counters show it; screen readers read the number that client JS sets. */
const Count = ({ picked }: { picked: number }) => (
  <span className={styles.number} data-picked>
    <span className="visually-hidden" aria-hidden="true">
      {picked}
    </span>
  </span>
);

const countOf = (href: string): number => pickedIds(new URLSearchParams(href.split('?')[1])).length;

/** Returns the fields of a refused form as search parameters. */
export function refusedFields(refused: RefusedForm | undefined): URLSearchParams | undefined {
  return refused?.typed && new URLSearchParams(refused.typed.map(([name, value]) => [name, value]));
}
