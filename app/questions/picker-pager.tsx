/** Pages of the picker: buttons of its form, so that the ticks of this page go along. */
import { AddressButton } from '../ui/address-form.tsx';
import { pagesToShow } from '../ui/pager.tsx';
import styles from './picker.module.css';

export function PickerPager({ page, limit, total }: { page: number; limit: number; total: number }) {
  const last = Math.max(1, Math.ceil(total / limit));
  const here = Math.min(page, last);
  return (
    <fieldset className={styles.pager} aria-label="分页">
      <span>共 {total} 条</span>
      {last > 1 && (
        <>
          <AddressButton className={styles.control} name="page" value={here - 1} disabled={here <= 1}>
            上一页
          </AddressButton>
          {pagesToShow(here, last).map((number, index) =>
            number === undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no number of its own.
              <span key={`gap${index}`}>…</span>
            ) : (
              <AddressButton
                className={styles.control}
                key={number}
                name="page"
                value={number}
                aria-current={number === here ? 'page' : undefined}
                aria-label={`第 ${number} 页`}
              >
                {number}
              </AddressButton>
            ),
          )}
          <AddressButton className={styles.control} name="page" value={here + 1} disabled={here >= last}>
            下一页
          </AddressButton>
          <label>
            前往
            <input
              className={styles.control}
              name="jump"
              type="number"
              min={1}
              max={last}
              defaultValue={here}
              key={here}
            />
            页
          </label>
          <AddressButton className={styles.control} name="go" value="1">
            跳转
          </AddressButton>
        </>
      )}
    </fieldset>
  );
}
