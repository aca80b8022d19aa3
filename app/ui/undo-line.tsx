/** What was just done to many at once, and until when it can be taken back. */
import { formatTime } from '../lib/dates.ts';
import { Form, Submit } from './form.tsx';
import styles from './undo-line.module.css';
import { useTimezone } from './use-school.ts';

interface UndoLineProps {
  did: string;
  /** Unix seconds. */
  until: number;
  /** What is taken back. */
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
