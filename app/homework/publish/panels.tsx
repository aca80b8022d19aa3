/** Panels over the publish form that wait for a confirmation. */
import { Button, Input } from '@mantine/core';
import { countStudents, pastDeadlineWarning } from '#server/homework/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import { orderMessages } from '../../questions/terms.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Submit } from '../../ui/form.tsx';
import { batchTypes, type Panel, type PublishForm } from './form.ts';
import { batchField } from './form-data.ts';
import styles from './publish.work.module.css';
import { audienceOf, type Choices } from './view.ts';

const cancel = { name: 'intent', value: 'cancel' };

export function RemovePanel({ panel }: { panel: Extract<Panel, { kind: 'remove' }> }) {
  return (
    <Dialog title="移除题目" closeHref={cancel} width={420}>
      <p>{panel.selected ? '是否移除选中题目？' : orderMessages.remove}</p>
      <DialogActions>
        <Button type="submit" {...cancel} variant="default">
          取消
        </Button>
        <Submit intent="confirm-remove" color="red" data-autofocus>
          确定
        </Submit>
      </DialogActions>
    </Dialog>
  );
}

interface PublishPanelProps {
  past: boolean;
  form: PublishForm;
  choices: Choices;
  sending: boolean;
}

export function PublishPanel({ past, form, choices, sending }: PublishPanelProps) {
  const chosen = audienceOf(form, choices);
  return (
    <Dialog title="确认布置" closeHref={cancel} width={480} message={past ? pastDeadlineWarning : undefined}>
      <p>
        布置到：<strong>{chosen.map(({ name }) => name).join('、')}</strong>，共
        {countStudents(chosen, choices.shared)}名学员
      </p>
      <DialogActions>
        <Button type="submit" {...cancel} variant="default" data-autofocus>
          取消
        </Button>
        <Submit intent="confirm-publish" disabled={sending}>
          {past ? '仍然布置' : '确定布置'}
        </Submit>
      </DialogActions>
    </Dialog>
  );
}

interface BatchPanelProps {
  panel: Extract<Panel, { kind: 'batch' }>;
  /** Question types that the homework contains. */
  types: readonly number[];
}

export function BatchPanel({ panel, types }: BatchPanelProps) {
  return (
    <Dialog title="批量设置分数" closeHref={cancel} width={420} message={panel.error}>
      <p className={styles.batchHint}>
        按题型设置每题分数（1到100，最多一位小数），材料题的小题按各自题型设置，不填则不变。
      </p>
      <div className={styles.batch}>
        {batchTypes
          .filter((type) => types.includes(type))
          .map((type, index) => (
            <label key={type} htmlFor={batchField(type)}>
              <span>{questionTypeNames[type]}</span>
              <Input
                type="text"
                autoComplete="off"
                id={batchField(type)}
                name={batchField(type)}
                defaultValue={panel.values[type]}
                inputMode="decimal"
                data-autofocus={index === 0 ? true : undefined}
              />
              <span>分</span>
            </label>
          ))}
      </div>
      <DialogActions>
        <Button type="submit" {...cancel} variant="default">
          取消
        </Button>
        <Submit intent="apply-batch">确定</Submit>
      </DialogActions>
    </Dialog>
  );
}
