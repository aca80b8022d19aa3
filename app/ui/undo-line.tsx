/** Line that reports a bulk action, with a button to undo it until a given time. */
import { formatTime } from '../lib/dates.ts';
import { Form, Submit } from './form.tsx';
import styles from './undo-line.module.css';
import { useTimezone } from './use-school.ts';

interface UndoLineProps {
  did: string;
  /** Time until which the action can be undone, in unix seconds. */
  until: number;
  /** Id of the bulk action to undo. */
  id: number;
  action: string;
  idempotencyKey: string;
}

export function UndoLine({ did, until, id, action, idempotencyKey }: UndoLineProps) {
  const timezone = useTimezone();
  return (
    <Form action={action} className={`${styles.undo} no-print`} idempotencyKey={idempotencyKey}>
      <span>
        {did}，{formatTime(until, timezone).slice(-5)} 前可以撤销
      </span>
      <Submit intent={`undo ${id}`} variant="default">
        撤销
      </Submit>
    </Form>
  );
}
