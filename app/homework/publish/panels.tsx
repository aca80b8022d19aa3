/** What stands over the form and waits for an answer. */
import { questionTypeNames } from '#server/questions/rules.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { controlClass } from '../../ui/field.tsx';
import { batchTypes, type Panel } from './form.ts';
import { batchField } from './form-data.ts';
import styles from './publish.module.css';

const cancel = { name: 'op', value: 'cancel' };

export function RemovePanel({ panel }: { panel: Extract<Panel, { kind: 'remove' }> }) {
  return (
    <Dialog title="移除题目" closeHref={cancel} width={420}>
      <p>{panel.selected ? '是否移除选中题目？' : '是否移除该题目？'}</p>
      <DialogActions>
        <button type="submit" {...cancel} className={buttonClass('plain')}>
          取消
        </button>
        <button type="submit" name="op" value="confirm-remove" className={buttonClass('danger')} data-autofocus>
          确定
        </button>
      </DialogActions>
    </Dialog>
  );
}

export function BatchPanel({ panel }: { panel: Extract<Panel, { kind: 'batch' }> }) {
  return (
    <Dialog title="批量设置分数" closeHref={cancel} width={420} message={panel.error}>
      <p className={styles.batchHint}>
        按题型设置每题分数（1到100，最多一位小数），材料题的小题按各自题型设置，不填则不变。
      </p>
      <div className={styles.batch}>
        {batchTypes.map((type, index) => (
          <label key={type}>
            <span>{questionTypeNames[type]}</span>
            <input
              type="number"
              name={batchField(type)}
              defaultValue={panel.values[type]}
              min={1}
              max={100}
              step={0.1}
              inputMode="decimal"
              className={controlClass}
              data-autofocus={index === 0 ? true : undefined}
            />
            <span>分</span>
          </label>
        ))}
      </div>
      <DialogActions>
        <button type="submit" {...cancel} className={buttonClass('plain')}>
          取消
        </button>
        <button type="submit" name="op" value="apply-batch" className={buttonClass('primary')}>
          确定
        </button>
      </DialogActions>
    </Dialog>
  );
}
